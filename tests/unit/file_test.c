/*
 * file_test.c - whole files in and out, and the tensor functions over them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io_support.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define LARGE 300000 /* more than a pipe and every buffer here */

static unsigned char large[LARGE];

static void fill_large(void)
{
    for (size_t i = 0; i < LARGE; i++)
        large[i] = (unsigned char)(i * 7 + i / 251);
}

static void write_large(int fd)
{
    for (size_t done = 0; done < LARGE;) {
        const ssize_t got = write(fd, large + done, LARGE - done);

        if (got <= 0)
            _exit(1);
        done += (size_t)got;
    }
}

static bl_status put_file(const char *path, const void *bytes, size_t size, bl_error *err)
{
    struct bl_writer writer;

    BL_TRY(bl_writer_open(&writer, path, err));
    return bl_writer_close(&writer, bl_writer_put(&writer, bytes, size, err), err);
}

static void assert_content(const char *path, const void *bytes, size_t size)
{
    struct bl_file file;
    bl_error err = {BL_OK, ""};

    assert_ok(bl_file_read(path, &bl_allocator_default, &file, &err), &err);
    assert_int_equal(file.size, size);
    assert_memory_equal(file.bytes, bytes, size);
    bl_file_free(&bl_allocator_default, &file);
}

/* ---- Reading ------------------------------------------------------------------ */

static void reads_files(void **state)
{
    bl_error err = {BL_OK, ""};

    (void)state;
    assert_ok(put_file("file", "", 0, &err), &err);
    assert_content("file", "", 0);
    assert_ok(put_file("file", large, LARGE, &err), &err);
    assert_content("file", large, LARGE);
    assert_int_equal(unlink("file"), 0);
}

static void reads_pipes(void **state)
{
    bl_error err = {BL_OK, ""};
    struct failing_allocator memory;
    struct bl_file file;

    (void)state;
    for (long fail_at = -1; fail_at < 4; fail_at++) {
        const bl_allocator allocator = counting_allocator(&memory, fail_at);
        int ends[2];

        assert_int_equal(pipe(ends), 0);
        const pid_t child = fork();

        assert_true(child >= 0);
        if (child == 0) {
            signal(SIGPIPE, SIG_DFL);
            close(ends[0]);
            write_large(ends[1]);
            _exit(0);
        }
        const int old = dup(STDIN_FILENO);

        assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
        close(ends[0]);
        close(ends[1]);
        const bl_status status = bl_file_read("/dev/stdin", &allocator, &file, &err);

        dup2(old, STDIN_FILENO);
        close(old);
        /* 64 KiB, doubled three times: four allocations. */
        assert_int_equal(status, fail_at < 0 ? BL_OK : BL_ERR_MEMORY);
        if (status == BL_OK) {
            assert_int_equal(memory.calls, 4);
            assert_int_equal(file.size, LARGE);
            assert_memory_equal(file.bytes, large, LARGE);
            bl_file_free(&allocator, &file);
        }
        assert_int_equal(memory.live, 0);
        assert_int_equal(waitpid(child, NULL, 0), child);
    }
}

static void says_why_it_cannot_read(void **state)
{
    struct bl_file file;
    struct failing_allocator memory;
    const bl_allocator allocator = counting_allocator(&memory, 0);
    bl_error err;

    (void)state;
    assert_fails(bl_file_read("missing", &bl_allocator_default, &file, &err), BL_ERR_IO,
                 &err, "cannot read missing: No such file or directory");
    assert_fails(bl_file_read(".", &bl_allocator_default, &file, &err), BL_ERR_IO, &err,
                 "cannot read .: Is a directory");
    assert_ok(put_file("file", "abc", 3, &err), &err);
    assert_fails(bl_file_read("file/x", &bl_allocator_default, &file, &err), BL_ERR_IO,
                 &err, "cannot read file/x: Not a directory");
    assert_fails(bl_file_read("file", &allocator, &file, &err), BL_ERR_MEMORY, &err,
                 "cannot read file: no memory for 4 bytes");
    assert_int_equal(unlink("file"), 0);
}

/* ---- Writing ------------------------------------------------------------------ */

static void replaces_files(void **state)
{
    bl_error err;
    struct stat info;
    const mode_t old = umask(027);

    (void)state;
    assert_ok(put_file("file", "old", 3, &err), &err);
    assert_int_equal(stat("file", &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_int_equal(chmod("file", 0600), 0);
    umask(0);
    assert_ok(put_file("file", large, LARGE, &err), &err);
    assert_content("file", large, LARGE);
    assert_int_equal(stat("file", &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_int_equal(names(), 1);
    assert_int_equal(unlink("file"), 0);
    umask(old);
}

static void joins_small_and_large_pieces(void **state)
{
    struct bl_writer writer;
    bl_status status = BL_OK;
    size_t done = 0;

    (void)state;
    assert_int_equal(bl_writer_open(&writer, "file", NULL), BL_OK);
    for (size_t piece = 0; done < LARGE && status == BL_OK; piece = piece * 3 / 2 + 1) {
        const size_t size = piece < LARGE - done ? piece : LARGE - done;

        status = bl_writer_put(&writer, large + done, size, NULL);
        done += size;
    }
    assert_int_equal(names(), 1); /* not yet under its own name */
    assert_int_equal(access("file", F_OK), -1);
    assert_int_equal(bl_writer_close(&writer, status, NULL), BL_OK);
    assert_content("file", large, LARGE);
    assert_int_equal(names(), 1);
    assert_int_equal(unlink("file"), 0);
}

static void writes_through_links(void **state)
{
    bl_error err;
    struct stat info;

    (void)state;
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_int_equal(symlink("file", "folder/inner"), 0);
    assert_int_equal(symlink("folder/inner", "outer"), 0);
    for (int i = 0; i < 2; i++) { /* the first time there is no file yet */
        const char *content = i == 0 ? "new" : "other";

        assert_ok(put_file("outer", content, strlen(content), &err), &err);
        assert_content("folder/file", content, strlen(content));
        assert_int_equal(lstat("outer", &info), 0);
        assert_true(S_ISLNK(info.st_mode));
        assert_int_equal(lstat("folder/inner", &info), 0);
        assert_true(S_ISLNK(info.st_mode));
    }
    assert_int_equal(symlink("loop", "loop"), 0);
    assert_fails(put_file("loop", "x", 1, &err), BL_ERR_IO, &err, "cannot write loop: ");
    unlink("loop");
    unlink("outer");
    unlink("folder/inner");
    unlink("folder/file");
    assert_int_equal(rmdir("folder"), 0);
}

static void leaves_nothing_behind(void **state)
{
    char name[300] = "folder/";
    bl_error err;

    (void)state;
    assert_fails(put_file("missing/file", "x", 1, &err), BL_ERR_IO, &err,
                 "cannot write missing/file: No such file or directory");
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_fails(put_file("folder", "x", 1, &err), BL_ERR_IO, &err,
                 "cannot write folder: Is a directory");
    assert_fails(put_file("folder/", "x", 1, &err), BL_ERR_IO, &err,
                 "cannot write folder/: Is a directory");
    assert_fails(put_file("", "x", 1, &err), BL_ERR_IO, &err, "cannot write : ");
    memset(name + 7, 'n', 255);
    assert_ok(put_file(name, "x", 1, &err), &err); /* as long as a name can be */
    assert_int_equal(unlink(name), 0);
    name[7 + 255] = 'n';
    assert_fails(put_file(name, "x", 1, &err), BL_ERR_IO, &err, "File name too long");
    assert_int_equal(rmdir("folder"), 0);
    assert_int_equal(names(), 0);
}

/* A failure in the middle, here of a size limit, keeps the old content and nothing else. */
static void keeps_the_old_content(void **state)
{
    struct rlimit limit;
    bl_error err;

    (void)state;
    assert_ok(put_file("file", "old", 3, &err), &err);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    const struct rlimit small = {100000, limit.rlim_max};

    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const bl_status status = put_file("file", large, LARGE, &err);

    setrlimit(RLIMIT_FSIZE, &limit);
    assert_int_equal(status, BL_ERR_IO);
    assert_string_equal(err.message, "cannot write file: File too large");
    assert_content("file", "old", 3);
    assert_int_equal(names(), 1);
    assert_int_equal(unlink("file"), 0);
}

static void writes_devices_directly(void **state)
{
    bl_error err;
    struct stat info;

    (void)state;
    assert_ok(put_file("/dev/null", large, LARGE, &err), &err);
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_fails(put_file("/dev/full", "x", 1, &err), BL_ERR_IO, &err,
                 "cannot write /dev/full: No space left on device");
    assert_fails(put_file("/dev/full", large, LARGE, &err), BL_ERR_IO, &err,
                 "cannot write /dev/full: No space left on device");
    assert_int_equal(symlink("/dev/full", "link"), 0);
    assert_fails(put_file("link", "x", 1, &err), BL_ERR_IO, &err, "cannot write link: ");
    assert_int_equal(unlink("link"), 0);
    assert_int_equal(names(), 0);
}

/* "/dev/stdout" where it goes to a file: behind what that already holds. */
static void writes_standard_output(void **state)
{
    bl_error err;

    (void)state;
    assert_ok(put_file("file", "before ", 7, &err), &err);
    fflush(stdout);
    const int old = dup(STDOUT_FILENO);
    const int fd = open("file", O_WRONLY | O_APPEND);

    assert_true(old >= 0 && fd >= 0);
    assert_int_equal(dup2(fd, STDOUT_FILENO), STDOUT_FILENO);
    close(fd);
    const bl_status status = put_file("/dev/stdout", "after", 5, &err);

    dup2(old, STDOUT_FILENO);
    close(old);
    assert_int_equal(status, BL_OK);
    assert_content("file", "before after", 12);
    assert_int_equal(unlink("file"), 0);
}

static void writes_pipes(void **state)
{
    int ends[2];
    char path[64];
    char got[4];
    bl_error err;

    (void)state;
    if (access("/dev/fd", X_OK) != 0)
        skip();
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    assert_ok(put_file(path, "abc", 3, &err), &err);
    assert_int_equal(read(ends[0], got, sizeof got), 3);
    assert_memory_equal(got, "abc", 3);
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN);
    assert_int_equal(mkfifo("fifo", 0666), 0);
    const int reader = open("fifo", O_RDONLY | O_NONBLOCK);
    struct bl_writer writer;

    assert_ok(bl_writer_open(&writer, "fifo", &err), &err);
    close(reader);
    const bl_status status = bl_writer_put(&writer, "abc", 3, &err);

    assert_fails(bl_writer_close(&writer, status, &err), BL_ERR_IO, &err,
                 "cannot write fifo: Broken pipe");
    assert_int_equal(unlink("fifo"), 0);
    close(ends[1]);
}

/* ---- bl_tensor_read and bl_tensor_write ------------------------------------------ */

static void goes_by_the_ending(void **state)
{
    static const char *const paths[] = {"a.npy", "a.pb"};
    static const char *const begins[] = {"\x93NUMPY", "\x08\x03\x10\x01\x4a\x0c"};
    static const float values[] = {1.5F, -0.0F, 3e38F};
    bl_error err = {BL_OK, ""};
    bl_tensor *tensor = bl_tensor_borrow(NULL, BL_FLOAT32, BL_SHAPE(3), NULL, values, &err);

    (void)state;
    assert_non_null(tensor);
    for (int i = 0; i < 2; i++) {
        struct bl_file file;

        assert_ok(bl_tensor_write(tensor, paths[i], BL_FORMAT_AUTO, &err), &err);
        bl_tensor *again = bl_tensor_read(NULL, paths[i], BL_FORMAT_AUTO, &err);

        assert_non_null(again);
        assert_memory_equal(bl_tensor_data(again), values, sizeof values);
        bl_tensor_free(again);
        assert_ok(bl_file_read(paths[i], &bl_allocator_default, &file, &err), &err);
        assert_memory_equal(file.bytes, begins[i], 6);
        /* Without an ending: by the first bytes. */
        again =
            bl_tensor_read_memory(NULL, file.bytes, file.size, BL_FORMAT_AUTO, NULL, &err);
        assert_non_null(again);
        assert_memory_equal(bl_tensor_data(again), values, sizeof values);
        bl_tensor_free(again);
        bl_file_free(&bl_allocator_default, &file);
        assert_int_equal(unlink(paths[i]), 0);
    }
    /* A format that is given counts more than the ending. */
    assert_ok(bl_tensor_write(tensor, "a.npy", BL_FORMAT_PB, &err), &err);
    assert_null(bl_tensor_read(NULL, "a.npy", BL_FORMAT_AUTO, &err));
    assert_int_equal(err.status, BL_ERR_FORMAT);
    assert_memory_equal(err.message, "a.npy: byte 0: not a .npy file", 30);
    assert_int_equal(unlink("a.npy"), 0);
    bl_tensor_free(tensor);
}

static void checks_arguments(void **state)
{
    bl_error err;
    bl_tensor *tensor = bl_tensor_new(NULL, BL_BFLOAT16, BL_SHAPE(3), &err);

    (void)state;
    assert_non_null(tensor);
    assert_fails(bl_tensor_write(tensor, "a.txt", BL_FORMAT_AUTO, &err), BL_ERR_ARGUMENT,
                 &err, "cannot write a.txt: its ending is neither .npy nor .pb");
    assert_fails(bl_tensor_write(tensor, "a.npy", BL_FORMAT_AUTO, &err), BL_ERR_TYPE, &err,
                 "cannot write a.npy: a .npy file cannot hold bfloat16; a .pb file can");
    assert_fails(bl_tensor_write(NULL, "a.npy", BL_FORMAT_AUTO, &err), BL_ERR_ARGUMENT,
                 &err, "the tensor is NULL");
    assert_fails(bl_tensor_write(tensor, NULL, BL_FORMAT_AUTO, &err), BL_ERR_ARGUMENT, &err,
                 "the path is NULL");
    assert_fails(bl_tensor_write(tensor, "a.npy", (bl_format)7, &err), BL_ERR_ARGUMENT,
                 &err, "7 is no format");
    assert_null(bl_tensor_read(NULL, NULL, BL_FORMAT_AUTO, &err));
    assert_int_equal(err.status, BL_ERR_ARGUMENT);
    assert_null(bl_tensor_read(NULL, "missing.npy", BL_FORMAT_AUTO, &err));
    assert_int_equal(err.status, BL_ERR_IO);
    assert_null(bl_tensor_read_memory(NULL, NULL, 1, BL_FORMAT_PB, "x", &err));
    assert_int_equal(err.status, BL_ERR_ARGUMENT);
    assert_null(bl_tensor_read_memory(NULL, NULL, 0, BL_FORMAT_AUTO, NULL, &err));
    assert_string_equal(err.message,
                        "memory: byte 0: bad data type: there is no data_type");
    assert_int_equal(names(), 0);
    bl_tensor_free(tensor);
}

static int enter(void **state)
{
    fill_large();
    return folder_enter(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_files),
        cmocka_unit_test(reads_pipes),
        cmocka_unit_test(says_why_it_cannot_read),
        cmocka_unit_test(replaces_files),
        cmocka_unit_test(joins_small_and_large_pieces),
        cmocka_unit_test(writes_through_links),
        cmocka_unit_test(leaves_nothing_behind),
        cmocka_unit_test(keeps_the_old_content),
        cmocka_unit_test(writes_devices_directly),
        cmocka_unit_test(writes_standard_output),
        cmocka_unit_test(writes_pipes),
        cmocka_unit_test(goes_by_the_ending),
        cmocka_unit_test(checks_arguments),
    };

    return cmocka_run_group_tests(tests, enter, folder_leave);
}
