// pthreadpool's threads, in place of its pthreads.c: the caller waits only for workers that have begun.
//
// There, each job ends when every worker has woken and reported, also one that finds no work left: on a machine whose
// cores are busy otherwise that costs a time slice of the scheduler, milliseconds for a job of microseconds. Here a job
// has a door. Workers enter it, take part and leave; the caller takes over the ranges of those that have not come, then
// closes the door and waits for those inside. Who comes late finds it closed. Workers also spin for microseconds, not
// milliseconds, before they sleep: a spinning thread slows the one that shares its core.
//
// A worker may enter a job twice, which pthreadpool's fastpath.c could not bear: its counters run below zero once for
// each thread.

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#if defined(__EMSCRIPTEN__)
#include <emscripten/threading.h>
#include <math.h>
#else
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "threadpool-atomics.h"
#include "threadpool-object.h"
#include "threadpool-utils.h"

// Of `active_threads`, beside the number of workers inside.
#define CLOSED (SIZE_MAX / 2 + 1)

// Added to the command for each job, so that a worker which slept through some sees a change.
#define NEXT_JOB 4

#define SPINS 10000

static void sleep_while(pthreadpool_atomic_uint32_t* word, uint32_t value) {
#if defined(__EMSCRIPTEN__)
  emscripten_futex_wait((volatile void*)word, value, INFINITY);
#else
  syscall(SYS_futex, word, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, value, NULL);
#endif
}

static void wake_all(pthreadpool_atomic_uint32_t* word) {
#if defined(__EMSCRIPTEN__)
  emscripten_futex_wake((volatile void*)word, INT_MAX);
#else
  syscall(SYS_futex, word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, INT_MAX);
#endif
}

// The value of `word` when it is no longer `value`.
static uint32_t await_change(pthreadpool_atomic_uint32_t* word, uint32_t value) {
  for (uint32_t spin = 0;; ++spin) {
    const uint32_t now = pthreadpool_load_acquire_uint32_t(word);
    if (now != value) return now;
    if (spin < SPINS)
      pthreadpool_yield();
    else
      sleep_while(word, value);
  }
}

static bool enter(struct pthreadpool* pool) {
  size_t inside = __atomic_load_n((size_t*)&pool->active_threads, __ATOMIC_RELAXED);
  while (inside < CLOSED)
    if (__atomic_compare_exchange_n((size_t*)&pool->active_threads, &inside, inside + 1, true, __ATOMIC_ACQUIRE,
                                    __ATOMIC_RELAXED))
      return true;
  return false;
}

static void leave(struct pthreadpool* pool) {
  if (__atomic_sub_fetch((size_t*)&pool->active_threads, 1, __ATOMIC_ACQ_REL) != CLOSED) return;
  pthreadpool_store_release_uint32_t(&pool->has_active_threads, 0);
  wake_all(&pool->has_active_threads);
}

static void open_door(struct pthreadpool* pool) {
  pthreadpool_store_relaxed_uint32_t(&pool->has_active_threads, 1);
  pthreadpool_store_release_size_t(&pool->active_threads, 0);
}

static void close_door(struct pthreadpool* pool) {
  if (__atomic_fetch_or((size_t*)&pool->active_threads, CLOSED, __ATOMIC_ACQ_REL) != 0)
    await_change(&pool->has_active_threads, 1);
}

static void work(struct pthreadpool* pool, struct thread_info* thread) {
  const thread_function_t job = (thread_function_t)pthreadpool_load_relaxed_void_p(&pool->thread_function);
  struct fpu_state before = {0};
  const bool flush = pthreadpool_load_relaxed_uint32_t(&pool->flags) & PTHREADPOOL_FLAG_DISABLE_DENORMALS;
  if (flush) {
    before = get_fpu_state();
    disable_fpu_denormals();
  }
  job(pool, thread);
  if (flush) set_fpu_state(before);
}

static void* worker(void* argument) {
  struct thread_info* thread = argument;
  struct pthreadpool* pool = thread->threadpool;
  uint32_t command = threadpool_command_init;
  for (;;) {
    command = await_change(&pool->command, command);
    if (command == threadpool_command_shutdown) return NULL;
    if (!enter(pool)) continue;
    work(pool, thread);
    leave(pool);
  }
}

// Disjoint parts of the range, which their threads take from the front and the others from the back.
static void share_out(struct pthreadpool* pool, size_t range) {
  const struct fxdiv_result_size_t share = fxdiv_divide_size_t(range, pool->threads_count);
  size_t start = 0;
  for (size_t i = 0; i < pool->threads_count.value; ++i) {
    struct thread_info* thread = &pool->threads[i];
    const size_t length = share.quotient + (i < share.remainder);
    pthreadpool_store_relaxed_size_t(&thread->range_start, start);
    pthreadpool_store_relaxed_size_t(&thread->range_end, start + length);
    pthreadpool_store_relaxed_size_t(&thread->range_length, length);
    start += length;
  }
}

static void command_all(struct pthreadpool* pool, uint32_t command) {
  pthreadpool_store_release_uint32_t(&pool->command, command);
  wake_all(&pool->command);
}

struct pthreadpool* pthreadpool_create(size_t threads_count) {
  struct pthreadpool* pool = pthreadpool_allocate(threads_count);
  if (!pool) return NULL;
  pool->threads_count = fxdiv_init_size_t(threads_count);
  pthreadpool_store_relaxed_size_t(&pool->active_threads, CLOSED);
  pthread_mutex_init(&pool->execution_mutex, NULL);
  for (size_t i = 0; i < threads_count; ++i) {
    pool->threads[i].thread_number = i;
    pool->threads[i].threadpool = pool;
  }
  for (size_t i = 1; i < threads_count; ++i) {  // the caller is the first
    if (pthread_create(&pool->threads[i].thread_object, NULL, worker, &pool->threads[i]) == 0) continue;
    pool->threads_count = fxdiv_init_size_t(i);
    pthreadpool_destroy(pool);
    return NULL;
  }
  return pool;
}

void pthreadpool_parallelize(struct pthreadpool* pool, thread_function_t thread_function, const void* params,
                             size_t params_size, void* task, void* context, size_t linear_range, uint32_t flags) {
  pthread_mutex_lock(&pool->execution_mutex);
  pthreadpool_store_relaxed_void_p(&pool->thread_function, (void*)thread_function);
  pthreadpool_store_relaxed_void_p(&pool->task, task);
  pthreadpool_store_relaxed_void_p(&pool->argument, context);
  pthreadpool_store_relaxed_uint32_t(&pool->flags, flags);
  if (params_size != 0) memcpy(&pool->params, params, params_size);
  share_out(pool, linear_range);
  open_door(pool);
  command_all(pool, pthreadpool_load_relaxed_uint32_t(&pool->command) + NEXT_JOB);
  work(pool, &pool->threads[0]);
  close_door(pool);
  pthread_mutex_unlock(&pool->execution_mutex);
}

void pthreadpool_destroy(struct pthreadpool* pool) {
  if (!pool) return;
  command_all(pool, threadpool_command_shutdown);
  for (size_t i = 1; i < pool->threads_count.value; ++i) pthread_join(pool->threads[i].thread_object, NULL);
  pthread_mutex_destroy(&pool->execution_mutex);
  pthreadpool_deallocate(pool);
}
