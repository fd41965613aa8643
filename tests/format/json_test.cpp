// JSON as the reader of safetensors takes it: every form, and what is none.

#include "format/json.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace onemodel::test {
namespace {

std::string error_of(std::string_view text, int depth = 4) {
  try {
    JsonReader("the text", text, depth);
    return "";
  } catch (const ModelError& error) {
    return error.what();
  }
}

std::string read_text(std::string_view text) { return JsonReader("the text", text, 0).text(); }

TEST(Json, TakesEveryFormOfAValue) {
  for (const char* text : {"{}", "[]", " [ 1 , 2 ] ", "{\"a\":{\"b\":[true,false,null]}}", "0", "-0", "10.25", "1e5",
                           "-1.5E-7", "2e+0", "\"\"", "\t\r\n[\n]\t", "{\"\":1,\"a\":{\"\":2}}", "[[[[]]]]"})
    EXPECT_EQ(error_of(text), "") << text;
}

TEST(Json, RefusesWhatIsNone) {
  for (const char* text : {"",
                           " ",
                           "{",
                           "[",
                           "]",
                           "[1,]",
                           "[,1]",
                           "[1 2]",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{\"a\":1,}",
                           "{a:1}",
                           "{1:1}",
                           "01",
                           "-",
                           "1.",
                           ".5",
                           "+1",
                           "1e",
                           "1e+",
                           "0x1",
                           "nul",
                           "True",
                           "NaN",
                           "'a'",
                           "\"",
                           "\"\\",
                           "\"\\x\"",
                           "\"\\u12\"",
                           "\"\\u12g4\"",
                           "\"\\ud800\"",
                           "\"\\ud800\\u0041\"",
                           "\"\\ud800\\ud800\"",
                           "\"\\udc00\"",
                           "\"\n\"",
                           "1 1",
                           "[1]]"})
    EXPECT_NE(error_of(text).find("the text is not a JSON object (byte "), std::string::npos) << text;
  EXPECT_EQ(error_of("[1, x]"), "the text is not a JSON object (byte 4)");
  EXPECT_EQ(error_of(std::string_view("1\0", 2)), "the text is not a JSON object (byte 1)");
}

TEST(Json, RefusesRepeatedKeysAndDeepNesting) {
  EXPECT_EQ(error_of("{\"a\":1,\"b\":{\"a\":1,\"\\u0061\":2}}"), "the text has the key 'a' twice");
  EXPECT_EQ(error_of("[[[[[1]]]]]"), "the text is nested deeper than the format has it");
  EXPECT_EQ(error_of("[[]]", 2), "");
  EXPECT_NE(error_of("[[]]", 1), "");
}

TEST(Json, ReadsEscapes) {
  EXPECT_EQ(read_text(R"("\"\\\/\b\f\n\r\t")"), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(read_text(R"("\u0041\u00e9\u20AC\ud83d\ude00")"), "Aé€😀");
  EXPECT_EQ(read_text(R"("\u0000")"), std::string(1, '\0'));
  EXPECT_EQ(read_text("\"é€😀\""), "é€😀");
}

TEST(Json, TextIsUtf8) {
  for (const char* text : {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80",
                           "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80", "\xC3", "\xE2\x82", "\xFF"})
    EXPECT_NE(error_of(concat('"', text, '"')), "") << text;
  for (const char* text :
       {"\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"})
    EXPECT_EQ(read_text(concat('"', text, '"')), text);
}

TEST(Json, ReadsUnsignedIntegers) {
  const auto read = [](const char* text) { return JsonReader("the text", text, 1).unsigned_integer(); };
  EXPECT_EQ(read("0"), 0u);
  EXPECT_EQ(read("18446744073709551615"), UINT64_MAX);
  for (const char* text : {"18446744073709551616", "-1", "1.0", "1e0", "\"1\"", "null", "[1]"})
    EXPECT_EQ(read(text), std::nullopt) << text;
}

TEST(Json, GoesThroughListsAndObjects) {
  JsonReader json("the text", R"( {"a": [1, 2, 3], "b": {}, "c": "x"} )", 2);
  std::string seen;
  for (bool more = json.enter('{'); more; more = json.advance('{')) {
    seen += json.key();
    if (json.peek() == '[')
      for (bool item = json.enter('['); item; item = json.advance('[')) seen += concat(*json.unsigned_integer());
    else
      json.skip(1);
  }
  EXPECT_EQ(seen, "a123bc");
}

TEST(Json, WritesTextThatReadsAsTheSame) {
  const std::string text = "\"\\/\b\f\n\r\t\x01\x1F\x7F é€😀";
  EXPECT_EQ(json_text(text), R"("\"\\/\b\f\n\r\t\u0001\u001f)"
                             "\x7F é€😀\"");
  EXPECT_EQ(read_text(json_text(text)), text);
  EXPECT_EQ(json_text("a\xFF\xC3"), "\"a\uFFFD\uFFFD\"");
}

}  // namespace
}  // namespace onemodel::test
