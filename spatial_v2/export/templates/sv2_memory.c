/* Memory of a call, from the caller's workspace. */
#include "sv2_internal.h"

#if defined(_MSC_VER)
#define THREAD_LOCAL __declspec(thread)
#elif defined(__GLIBC__) /* one pointer always has room there, and is found without a call */
#define THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))
#else
#define THREAD_LOCAL _Thread_local
#endif

enum { LINE = 64 };

static THREAD_LOCAL struct sv2_arena *current;

/* The record of an allocation as compiled code knows it, before the memory itself. */
struct allocation {
    size_t references;
    void *unused[2], *data;
    size_t size;
    void *none[3];
};

void *sv2_take_from(struct sv2_arena *arena, size_t size) {
    const size_t whole = (size + LINE - 1) / LINE * LINE;
    if (arena->taken > arena->size) longjmp(arena->full, 1);
    if (whole < size || whole > (size_t)(arena->size - arena->taken)) longjmp(arena->full, 1);
    arena->last = arena->taken;
    arena->end = arena->taken += (int64_t)whole;
    return (void *)(intptr_t)(arena->memory + arena->last);
}

void *sv2_allocate(size_t size, uint32_t align) {
    (void)align; /* 64 bytes, as everything here */
    struct sv2_arena *const arena = current;
    if (size > (size_t)-1 - LINE) longjmp(arena->full, 1);
    struct allocation *const made = sv2_take_from(arena, LINE + size);
    made->references = 1;
    made->size = size;
    made->data = (char *)made + LINE;
    return made;
}

void *sv2_allocate_plain(size_t size) { return sv2_allocate(size, LINE); }

void *sv2_take(size_t size) { return sv2_take_from(current, size); }

void sv2_release(void *at) {
    const int64_t begin = (int64_t)(intptr_t)at - current->memory;
    if (begin == current->last && current->taken == current->end) sv2_give_back(current, begin);
}

/* Arrays to which nothing refers stay until the end of the call. */
void sv2_unused(void *allocation) { (void)allocation; }

/* An error of a kernel is a status, without a message. */
void sv2_raise(void *kind, const char *message) { (void)kind, (void)message; }
void *sv2_error;

struct sv2_arena *sv2_enter(struct sv2_arena *arena) {
    struct sv2_arena *const before = current;
    current = arena;
    return before;
}

void sv2_begin(struct sv2_arena *arena, void *workspace, size_t size) {
    const size_t before = (size_t)(-(uintptr_t)workspace & (LINE - 1));
    const size_t usable = size > before ? size - before : 0;
    arena->memory = (int64_t)(intptr_t)workspace + (int64_t)(usable ? before : 0);
    arena->taken = arena->most = 0;
    arena->last = arena->end = -1;
    arena->size = (int64_t)usable;
}

void sv2_give_back(struct sv2_arena *arena, int64_t taken) {
    if (arena->taken > arena->most) arena->most = arena->taken;
    arena->taken = taken;
}
