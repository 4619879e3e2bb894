/*
 * model.c - the few fields of an ONNX model that a chain of operators takes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_bench.h"

/* A chain's model is small: all of it, and each of its messages, fits. */
enum { ROOM = 4096 };

struct message {
    unsigned char bytes[ROOM];
    size_t size;
};

static void put(struct message *to, const void *bytes, size_t size)
{
    if (size > ROOM - to->size) {
        fprintf(stderr, "gpu_bench: a model is larger than %d bytes\n", ROOM);
        exit(2);
    }
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

static void put_varint(struct message *to, uint64_t value)
{
    unsigned char byte;

    for (; value >= 0x80; value >>= 7) {
        byte = (unsigned char)(value | 0x80);
        put(to, &byte, 1);
    }
    byte = (unsigned char)value;
    put(to, &byte, 1);
}

/* A field that holds a number, or bytes: protobuf's wire types 0 and 2. */
static void put_number(struct message *to, unsigned field, uint64_t value)
{
    put_varint(to, field << 3);
    put_varint(to, value);
}

static void put_bytes(struct message *to, unsigned field, const void *bytes, size_t size)
{
    put_varint(to, field << 3 | 2);
    put_varint(to, size);
    put(to, bytes, size);
}

static void put_message(struct message *to, unsigned field, const struct message *part)
{
    put_bytes(to, field, part->bytes, part->size);
}

/* "Mul a b t": NodeProto's op_type 4, input 1, output 2, in GraphProto's node 1.  Returns the output's
 * name, as it stands in `text`. */
static const char *put_node(struct message *graph, char *text)
{
    struct message node = {.size = 0};
    char *words[8];
    size_t count = 0;

    for (char *word = strtok(text, " "); word != NULL && count < 8;
         word = strtok(NULL, " "))
        words[count++] = word;
    put_bytes(&node, 4, words[0], strlen(words[0]));
    for (size_t i = 1; i + 1 < count; i++)
        put_bytes(&node, 1, words[i], strlen(words[i]));
    put_bytes(&node, 2, words[count - 1], strlen(words[count - 1]));
    put_message(graph, 1, &node);
    return words[count - 1];
}

/* A ValueInfoProto: name 1, and in type 2 the tensor_type 1 with elem_type 1. */
static void put_value(struct message *graph, unsigned field, const char *name)
{
    struct message tensor = {.size = 0}, type = {.size = 0}, value = {.size = 0};

    put_number(&tensor, 1, BL_FLOAT32);
    put_message(&type, 1, &tensor);
    put_bytes(&value, 1, name, strlen(name));
    put_message(&value, 2, &type);
    put_message(graph, field, &value);
}

unsigned char *bench_model(const struct bench_case *what, size_t *size)
{
    struct message graph = {.size = 0}, opset = {.size = 0}, model = {.size = 0};
    char text[512];
    const char *last = "";

    snprintf(text, sizeof text, "%s", what->nodes);
    for (char *node = text; node != NULL && *node != '\0';) {
        char *end = strstr(node, "; ");

        if (end != NULL)
            *end = '\0';
        last = put_node(&graph, node);
        node = end != NULL ? end + 2 : NULL;
    }
    for (size_t i = 0; i < what->input_count; i++)
        put_value(&graph, 11, (const char[]){(char)('a' + i), '\0'});
    put_value(&graph, 12, last);
    put_number(&opset, 2, 21);
    put_number(&model, 1, 10); /* the version of the format */
    put_message(&model, 7, &graph);
    put_message(&model, 8, &opset);
    unsigned char *bytes = malloc(model.size);

    if (bytes != NULL)
        memcpy(bytes, model.bytes, model.size);
    *size = model.size;
    return bytes;
}
