#!/usr/bin/env python3
"""Takes the picture of the scene out of a report and makes it a file of its own, with its colours written out.

    graze demo -o report.html && scripts/readme_picture.py report.html docs/images/demo.svg
"""

import re
import sys


def mix(dark: str, light: str, share: float) -> str:
    channels = [(int(dark[i : i + 2], 16), int(light[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(d + (l - d) * share):02x}" for d, l in channels)


def main() -> int:
    page = open(sys.argv[1], encoding="utf-8").read()
    picture = re.search(r'<svg class="scene".*?</svg>', page, re.S)
    if picture is None:
        print(f"readme_picture: {sys.argv[1]} has no picture of a scene", file=sys.stderr)
        return 2
    colour = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", page.split("@media")[0]))
    rules = [f".s{step} {{ fill: {mix(colour['mesh-dark'], colour['mesh-light'], int(share) / 100)}; }}"
             for step, share in re.findall(r"\.s(\d+) \{ fill: color-mix\(in srgb, var\(--mesh-light\) (\d+)%", page)]
    rules += [f".scene path {{ stroke: {colour['card']}; stroke-width: .35; stroke-linejoin: round; }}",
              f".contacts circle {{ fill: {colour['mark']}; stroke: {colour['card']}; stroke-width: .5; }}"]
    svg = picture.group(0).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    svg = svg.replace(">", "><style>" + " ".join(rules) + "</style>", 1)
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        out.write(svg + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
