#!/usr/bin/env python3
"""make_picture.py - draw picture.png: a gradient with a disc, a square and stripes on it

SPDX-License-Identifier: Apache-2.0
"""
import os
import struct
import zlib

FOLDER = os.path.dirname(os.path.abspath(__file__))
WIDTH, HEIGHT = 160, 120


def pixel(x, y):
    """Red, green and blue of a pixel, 0 to 255 each."""
    if (x - 48) ** 2 + (y - 60) ** 2 < 30 ** 2:
        return 230, 60, 50
    if 90 <= x < 140 and 20 <= y < 60:
        return 40, 90 + 3 * (y - 20), 200
    if y >= 90 and x >= 90 and (x + y) // 8 % 2 == 0:
        return 250, 220, 60
    return 255 * x // (WIDTH - 1), 255 * y // (HEIGHT - 1), 128


def rows():
    return [bytes(part for x in range(WIDTH) for part in pixel(x, y)) for y in range(HEIGHT)]


def chunk(kind, content):
    return (struct.pack(">I", len(content)) + kind + content +
            struct.pack(">I", zlib.crc32(kind + content)))


def png():
    """The picture as a file: 8 bits a channel, RGB, each byte less the pixel's before it."""
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    filtered = (bytes((a - b) % 256 for a, b in zip(row, bytes(3) + row)) for row in rows())
    packed = zlib.compress(b"".join(b"\1" + row for row in filtered), 9)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", packed) +
            chunk(b"IEND", b""))


if __name__ == "__main__":
    with open(os.path.join(FOLDER, "picture.png"), "wb") as file:
        print(f"wrote {file.name}, {file.write(png())} bytes")
