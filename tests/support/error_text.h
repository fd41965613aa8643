#pragma once
// EXPECT_ERROR(statement, Class, parts...): the statement throws exactly that class, and the message has every part.

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "core/error.h"

namespace onemodel::test {

inline void expect_parts(const Error& error, std::initializer_list<std::string_view> parts) {
  const std::string message = error.what();
  for (std::string_view part : parts)
    EXPECT_NE(message.find(part), std::string::npos) << "no '" << part << "' in: " << message;
}

}  // namespace onemodel::test

#define EXPECT_ERROR(statement, Class, ...)                                          \
  try {                                                                              \
    statement;                                                                       \
    ADD_FAILURE() << "expected " #Class;                                             \
  } catch (const ::onemodel::Class& error) {                                         \
    ::onemodel::test::expect_parts(error, {__VA_ARGS__});                            \
  } catch (const std::exception& error) {                                            \
    ADD_FAILURE() << "expected " #Class ", got another exception: " << error.what(); \
  }
