"""plots.py - pictures of measurements, in SVG

SPDX-License-Identifier: Apache-2.0
"""


def shares(data):
    return ""


def scaling(data):
    return ""
