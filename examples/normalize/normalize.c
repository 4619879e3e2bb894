/*
 * normalize.c - run a picture through normalize.onnx, and show what comes out as a picture
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Usage: normalize MODEL IN.png OUT.png
 */
#include <broadloom/broadloom.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "normalize: %s: %s\n", what, why);
    return 1;
}

/* The least and the greatest number. */
static void find_range(const float *numbers, size_t count, float *least, float *greatest)
{
    *least = *greatest = numbers[0];
    for (size_t i = 1; i < count; i++) {
        *least = numbers[i] < *least ? numbers[i] : *least;
        *greatest = numbers[i] > *greatest ? numbers[i] : *greatest;
    }
}

/* The result, float32[1,3,H,W], as bytes of a picture [H,W,3]: least is 0, greatest is 255. */
static void rescale(const float *numbers, size_t pixels, unsigned char *bytes)
{
    float least, greatest;

    find_range(numbers, 3 * pixels, &least, &greatest);
    const float scale = greatest > least ? 255 / (greatest - least) : 0;

    for (size_t i = 0; i < pixels; i++)
        for (size_t channel = 0; channel < 3; channel++)
            bytes[3 * i + channel] =
                (unsigned char)((numbers[channel * pixels + i] - least) * scale + 0.5F);
}

static void report(const float *numbers, size_t pixels)
{
    static const char *const channels[] = {"red", "green", "blue"};

    for (size_t channel = 0; channel < 3; channel++) {
        const float *plane = numbers + channel * pixels;
        double sum = 0;
        float least, greatest;

        find_range(plane, pixels, &least, &greatest);
        for (size_t i = 0; i < pixels; i++)
            sum += plane[i];
        printf("%-5s from %.4f to %.4f, mean %.4f\n", channels[channel], least, greatest,
               sum / (double)pixels);
    }
}

/* Run the model on the bytes [height,width,3]; the result, or NULL with a message. */
static bl_tensor *run_model(bl_context *context, const char *path,
                            const unsigned char *bytes, int64_t height, int64_t width,
                            bl_error *err)
{
    bl_tensor *picture =
        bl_tensor_borrow(context, BL_UINT8, BL_SHAPE(height, width, 3), NULL, bytes, err);
    bl_model *model = bl_model_open(context, path, err);
    bl_session *session = model != NULL ? bl_session_new(context, model, NULL, err) : NULL;
    const bl_tensor *inputs[] = {picture};
    bl_tensor *outputs[] = {NULL};

    if (session != NULL && picture != NULL &&
        (bl_model_input_count(model) != 1 || bl_model_output_count(model) != 1))
        snprintf(err->message, sizeof err->message, "not a model of one input and output");
    else if (session != NULL && picture != NULL &&
             bl_session_run(session, inputs, outputs, err) != BL_OK)
        outputs[0] = NULL; /* the message says why */
    bl_session_free(session);
    bl_model_free(model);
    bl_tensor_free(picture);
    return outputs[0];
}

static int normalize(const char *model, png_image *image, unsigned char *bytes,
                     const char *out)
{
    const size_t pixels = (size_t)image->width * image->height;
    bl_error err = {BL_OK, ""};
    bl_context *context = bl_context_new(NULL, &err);
    bl_tensor *result = context != NULL ? run_model(context, model, bytes, image->height,
                                                    image->width, &err)
                                        : NULL;
    int exit_status = 1;

    if (result == NULL) {
        fail(model, err.message);
    } else if (bl_tensor_dtype(result) != BL_FLOAT32 ||
               bl_tensor_count(result) != (int64_t)(3 * pixels)) {
        fail(model, "the result is no float32[1,3,H,W]");
    } else {
        report(bl_tensor_data(result), pixels);
        rescale(bl_tensor_data(result), pixels, bytes);
        exit_status = png_image_write_to_file(image, out, 0, bytes, 0, NULL)
                          ? 0
                          : fail(out, image->message);
    }
    bl_tensor_free(result);
    bl_context_free(context);
    return exit_status;
}

int main(int argc, char **argv)
{
    png_image image;

    if (argc != 4)
        return fail("usage", "normalize MODEL IN.png OUT.png");
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_file(&image, argv[2]))
        return fail(argv[2], image.message);
    image.format = PNG_FORMAT_RGB;
    unsigned char *bytes = malloc(PNG_IMAGE_SIZE(image));

    if (bytes == NULL) {
        png_image_free(&image);
        return fail(argv[2], "out of memory");
    }
    const int exit_status = png_image_finish_read(&image, NULL, bytes, 0, NULL)
                                ? normalize(argv[1], &image, bytes, argv[3])
                                : fail(argv[2], image.message);

    free(bytes);
    return exit_status;
}
