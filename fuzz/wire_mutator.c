/*
 * wire_mutator.c - change a protobuf message into another one
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz/wire_mutator.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz/choices.h"
#include "io/onnx_fields.h"
#include "io/wire.h"

/* Fields beyond these are not seen, and so not changed. */
enum { MOST_FIELDS = 2048, MOST_DEPTH = 12 };

/* Bytes that a text may grow by at once. */
#define GROWTH 16

struct found {
    struct bl_wire_field field;
    size_t start, end; /* of the whole field: tag, length, body */
    int parent;        /* the field whose body it lies in; -1: none */
    bool is_message;   /* its body is fields too */
};

struct message {
    const uint8_t *data;
    size_t size;
    struct found found[MOST_FIELDS];
    int count;
    struct choices choices;
};

/* Bytes that the one who asked frees. */
struct piece {
    uint8_t *data; /* NULL: without memory */
    size_t size;
};

/* ---- What is there ----------------------------------------------------------------------- */

/* Find the fields under a cursor.  False if it is not over fields to its end; none is kept then. */
static bool find_fields(struct message *message, struct bl_wire wire, int parent,
                        int depth) /* NOLINT(misc-no-recursion): MOST_DEPTH */
{
    const int before = message->count;

    while (wire.at < wire.end && message->count < MOST_FIELDS) {
        const int self = message->count++;
        struct found *found = &message->found[self];

        *found = (struct found){.start = wire.at, .parent = parent};
        if (bl_wire_next(&wire, &found->field, NULL) != BL_OK) {
            message->count = before;
            return false;
        }
        found->end = wire.at;
        if (found->field.type == BL_WIRE_BYTES && depth < MOST_DEPTH &&
            bl_wire_left(&found->field.body) > 0)
            found->is_message = find_fields(message, found->field.body, self, depth + 1);
    }
    return true;
}

/* ---- Putting a changed field back ----------------------------------------------------------- */

static struct piece join(const uint8_t *head, size_t head_size, struct piece middle,
                         const uint8_t *tail, size_t tail_size)
{
    struct piece out = {malloc(head_size + middle.size + tail_size + 1),
                        head_size + middle.size + tail_size};

    if (out.data != NULL) {
        memcpy(out.data, head, head_size);
        if (middle.size > 0)
            memcpy(out.data + head_size, middle.data, middle.size);
        memcpy(out.data + head_size + middle.size, tail, tail_size);
    }
    free(middle.data);
    return out;
}

/* A field of bytes: tag, length, body.  Takes the body. */
static struct piece wrap(uint32_t number, struct piece body)
{
    uint8_t head[2 * BL_WIRE_VARINT_BYTES];
    size_t size = bl_wire_put_tag(head, number, BL_WIRE_BYTES);

    size += bl_wire_put_varint(head + size, body.size);
    return join(head, size, body, head, 0);
}

/* The whole message with bytes start to end, which lie in the body of field `parent`, exchanged.
 * Takes the piece. */
static struct piece exchange(const struct message *message, int parent, size_t start,
                             size_t end, struct piece piece)
{
    while (parent >= 0 && piece.data != NULL) {
        const struct found *around = &message->found[parent];
        const struct bl_wire *body = &around->field.body;

        piece = join(message->data + body->at, start - body->at, piece, message->data + end,
                     body->end - end);
        if (piece.data != NULL)
            piece = wrap(around->field.number, piece);
        start = around->start;
        end = around->end;
        parent = around->parent;
    }
    if (piece.data == NULL)
        return piece;
    return join(message->data, start, piece, message->data + end, message->size - end);
}

/* ---- Changes ------------------------------------------------------------------------------------ */

static struct piece copy_of(const uint8_t *data, size_t size)
{
    struct piece piece = {malloc(size + 1), size};

    if (piece.data != NULL && size > 0)
        memcpy(piece.data, data, size);
    return piece;
}

static const struct found *any_field(struct message *message)
{
    return &message->found[choose(&message->choices, message->count)];
}

static struct piece replace(const struct message *message, const struct found *found,
                            struct piece piece)
{
    return exchange(message, found->parent, found->start, found->end, piece);
}

static struct piece take_away(struct message *message)
{
    return replace(message, any_field(message), copy_of(NULL, 0));
}

/* In front of a field, itself or any other one. */
static struct piece repeat(struct message *message)
{
    const struct found *at = any_field(message);
    const struct found *what = choose(&message->choices, 2) == 0 ? at : any_field(message);

    return exchange(message, at->parent, at->start, at->start,
                    copy_of(message->data + what->start, what->end - what->start));
}

static struct piece overwrite(struct message *message)
{
    const struct found *at = any_field(message);
    const struct found *what = any_field(message);

    return replace(message, at,
                   copy_of(message->data + what->start, what->end - what->start));
}

/* A field of the numbers' type, if ten tries find one. */
static const struct found *field_of_type(struct message *message, enum bl_wire_type type)
{
    for (int i = 0; i < 10; i++) {
        const struct found *found = any_field(message);

        if (found->field.type == type && !found->is_message)
            return found;
    }
    return NULL;
}

static struct piece change_number(struct message *message)
{
    static const int64_t odd[] = {0,
                                  1,
                                  2,
                                  3,
                                  -1,
                                  7,
                                  16,
                                  64,
                                  127,
                                  255,
                                  65536,
                                  INT32_MAX,
                                  INT32_MIN,
                                  UINT32_MAX,
                                  INT64_MAX,
                                  INT64_MIN,
                                  INT64_C(1) << 40};
    const struct found *found = field_of_type(message, BL_WIRE_VARINT);
    uint8_t bytes[2 * BL_WIRE_VARINT_BYTES];
    uint64_t value;
    size_t size;

    if (found == NULL)
        return (struct piece){NULL, 0};
    switch (choose(&message->choices, 4)) {
    case 0:
        value = found->field.value + 1;
        break;
    case 1:
        value = found->field.value - 1;
        break;
    case 2:
        value = (uint64_t)choose(&message->choices, 32);
        break;
    default:
        value = (uint64_t)odd[choose(&message->choices, BL_COUNT_OF(odd))];
    }
    size = bl_wire_put_tag(bytes, found->field.number, BL_WIRE_VARINT);
    size += bl_wire_put_varint(bytes + size, value);
    return replace(message, found, copy_of(bytes, size));
}

/* Another text of the model, or an operator's name. */
static struct piece change_text(struct message *message)
{
    const struct found *found = field_of_type(message, BL_WIRE_BYTES);
    const struct found *other = field_of_type(message, BL_WIRE_BYTES);
    struct piece text;

    if (found == NULL || other == NULL)
        return (struct piece){NULL, 0};
    if (choose(&message->choices, 2) == 0 && found->field.number == BL_NODE_OP_TYPE) {
        const bl_op *op =
            bl_op_at((size_t)choose(&message->choices, (int64_t)bl_op_count()));

        text = copy_of((const uint8_t *)op->name, strlen(op->name));
    } else {
        text =
            copy_of(message->data + other->field.body.at, bl_wire_left(&other->field.body));
    }
    return text.data != NULL ? replace(message, found, wrap(found->field.number, text))
                             : text;
}

static struct piece change_bytes(struct message *message)
{
    const struct found *found = field_of_type(message, BL_WIRE_BYTES);

    if (found == NULL)
        return (struct piece){NULL, 0};
    const size_t size = bl_wire_left(&found->field.body);
    struct piece body = {calloc(size + GROWTH, 1), size};

    if (body.data == NULL)
        return body;
    memcpy(body.data, message->data + found->field.body.at, size);
    body.size = LLVMFuzzerMutate(body.data, size, size + GROWTH);
    return replace(message, found, wrap(found->field.number, body));
}

size_t fuzz_mutate_wire(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    static struct piece (*const changes[])(struct message *) = {
        take_away,     repeat,      overwrite,   change_number, change_number,
        change_number, change_text, change_text, change_bytes};
    const struct bl_source source = {"model", data, size};
    struct message *message = malloc(sizeof *message);
    struct piece changed = {NULL, 0};

    if (message == NULL)
        return size;
    message->data = data;
    message->size = size;
    message->count = 0;
    message->choices = choices_of_seed(seed);
    if (size > 0 && choose(&message->choices, 20) != 0 &&
        find_fields(message, bl_wire_of(&source), -1, 0))
        changed = changes[choose(&message->choices, BL_COUNT_OF(changes))](message);
    if (changed.data != NULL && changed.size <= most && changed.size > 0) {
        memcpy(data, changed.data, changed.size);
        size = changed.size;
    } else {
        size = LLVMFuzzerMutate(data, size, most);
    }
    free(changed.data);
    free(message);
    return size;
}
