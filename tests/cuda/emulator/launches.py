#!/usr/bin/env python3
"""Turns a CUDA source into one for the host's compiler: launches become calls of the emulator.

    kernel<int><<<blocks, threads, 0, stream>>>(a, b)
    graze::emulator::launch({blocks, threads, 0, stream}, [](auto... x) { kernel<int>(x...); }, a, b)

Everything else of the language that graze uses is declarations, which cuda_runtime.h of the emulator supplies.

    launches.py SOURCE.cu RESULT.cpp
"""

import re
import sys


def start_of_kernel(text, end):
    """Returns where the kernel that ends before `end` begins: a name, perhaps with template arguments."""
    at = len(text[:end].rstrip())
    if text[at - 1] == ">":
        depth = 0
        while True:
            at -= 1
            depth += {">": 1, "<": -1}.get(text[at], 0)
            if depth == 0:
                break
    while re.match(r"[\w:]", text[at - 1]):
        at -= 1
    return at


def end_of_list(text, begin):
    """Returns where the parenthesis that opens at `begin` closes."""
    depth = 0
    for at in range(begin, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at
    raise SystemExit("launches.py: a parenthesis is not closed")


def translate(text):
    """Returns the text with every launch replaced."""
    result = ""
    while True:
        at = text.find("<<<")
        if at < 0:
            return result + text
        first = start_of_kernel(text, at)
        configuration_end = text.index(">>>", at)
        opening = text.index("(", configuration_end)
        closing = end_of_list(text, opening)
        kernel = text[first:at]
        configuration = text[at + 3 : configuration_end]
        arguments = text[opening + 1 : closing]
        result += text[:first]
        result += f"graze::emulator::launch({{{configuration}}}, [](auto... x) {{ {kernel}(x...); }}, {arguments})"
        text = text[closing + 1 :]


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    source, result = sys.argv[1:]
    with open(source, encoding="utf-8") as file:
        text = file.read()
    with open(result, "w", encoding="utf-8") as file:
        file.write(f'#line 1 "{source}"\n')
        file.write(translate(text))


if __name__ == "__main__":
    main()
