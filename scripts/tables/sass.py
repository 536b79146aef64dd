#!/usr/bin/env python3
"""Counts the instructions that NVIDIA's compiler makes of the library's kernels.

    python3 scripts/tables/sass.py                 writes sass.json, tiled.json, gemm.json and convolution.json in crates/cuda-vm/tests/data
    python3 scripts/tables/sass.py --show KERNEL   prints the machine code of one kernel instead (not to be committed)
    python3 scripts/tables/sass.py --check         fails if a table does not fit its kernels
    python3 scripts/tables/sass.py --function TYPE F(X) …   prints what a math function is, as in `--function float 'sinf(x)' 'x / y'`

The script compiles each crates/cuda/src/library/*.cu, and each crates/cuda-vm/tests/data/tiled/*.cu, for sm_80 with NVRTC, disassembles it with nvdisasm, and finds the
loops. It needs no GPU. Both tools come from PyPI (scripts/tables/sass-requirements.txt) into target/sass. docs/sass.md
explains the table.
"""
import ctypes
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "crates/cuda-vm/tests/data"
# The kernels of a folder and the table of their counts.
TABLES = [(ROOT / "crates/cuda/src/library", DATA / "sass.json"), (DATA / "tiled", DATA / "tiled.json")]
ARCHITECTURE = "sm_80"
# Texts with sizes, of which only the registers are compared: the table, the text, the architecture, and sizes of all rows.
FORMS = [
    (DATA / "gemm.json", ROOT / "crates/lab/tests/suite/gemm_global.cu", "sm_75", {"S": 4096}),
    (DATA / "convolution.json", ROOT / "crates/lab/src/check/kernels/conv15_shared.cu", ARCHITECTURE, {"W": 4096, "H": 64, "EXACT": 0}),
]
REQUIREMENTS = ROOT / "scripts/tables/sass-requirements.txt"


# Tools ------------------------------------------------------------------------------------------------------------


def packages():
    """The folder of the NVIDIA packages, which the first call installs."""
    venv = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "sass"
    stamp = venv / ".made-of"
    want = REQUIREMENTS.read_text()
    if not stamp.exists() or stamp.read_text() != want:
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        subprocess.run([venv / "bin/python", "-m", "pip", "install", "-q", "-r", REQUIREMENTS], check=True)
        stamp.write_text(want)
    return next(venv.glob("lib/python3*/site-packages/nvidia"))


class Compiler:
    """NVRTC and nvdisasm."""

    def __init__(self):
        home = packages()
        self.nvrtc = ctypes.CDLL(str(next(home.glob("**/libnvrtc.so.12"))))
        self.nvdisasm = next(home.glob("**/bin/nvdisasm"))
        major, minor = ctypes.c_int(), ctypes.c_int()
        self.nvrtc.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
        self.version = f"NVRTC {major.value}.{minor.value}"

    def cubin(self, text, name, macros, architecture=ARCHITECTURE, instances=()):
        program = ctypes.c_void_p()
        # `extern "C"` keeps names unmangled, and `#line` keeps the line numbers of the file. Macros are in the text because
        # options would also change the built-in headers. A template cannot be in `extern "C"`.
        defined = "".join(f"#define {k} {v}\n" for k, v in macros)
        begin, end = ("", "") if instances else ('extern "C" {\n', "\n}")
        source = defined + begin + "#line 1\n" + text + end
        self.nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), name.encode(), 0, None, None)
        for instance in instances:
            self.nvrtc.nvrtcAddNameExpression(program, instance.encode())
        options = [f"--gpu-architecture={architecture}", "-lineinfo"]
        raw = (ctypes.c_char_p * len(options))(*[o.encode() for o in options])
        failed = self.nvrtc.nvrtcCompileProgram(program, len(options), raw)
        if failed:
            raise SystemExit(f"{name}:\n{self._fetch(program, 'ProgramLog').decode()}")
        return self._fetch(program, "CUBIN")

    def _fetch(self, program, what):
        size = ctypes.c_size_t()
        getattr(self.nvrtc, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
        buffer = ctypes.create_string_buffer(size.value)
        getattr(self.nvrtc, f"nvrtcGet{what}")(program, buffer)
        return buffer.raw

    def disassemble(self, text, name, macros, architecture=ARCHITECTURE):
        with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
            file.write(self.cubin(text, name, macros, architecture))
            file.flush()
            run = subprocess.run([self.nvdisasm, "-c", "-g", file.name], capture_output=True, text=True, check=True)
        return run.stdout


# The .cu text -------------------------------------------------------------------------------------------------------


def blank(text):
    """The text with comments and strings replaced by blanks, so that positions stay the same."""
    hide = lambda m: re.sub(r"[^\n]", " ", m.group())
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"', hide, text, flags=re.S)


def closing(code, at):
    """The position behind the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(code)):
        depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(code[i], 0)
        if depth == 0:
            return i + 1
    raise SystemExit("unbalanced brackets")


def statement_end(code, at):
    """The position behind the statement that starts at `at`."""
    at += len(code[at:]) - len(code[at:].lstrip())
    if code[at] == "{":
        return closing(code, at)
    head = re.match(r"(for|while|if)\b\s*", code[at:])
    if not head:
        while code[at] != ";":
            at = closing(code, at) if code[at] in "([{" else at + 1
        return at + 1
    end = statement_end(code, closing(code, at + head.end()))
    other = re.match(r"\s*else\b", code[end:]) if head.group(1) == "if" else None
    return statement_end(code, end + other.end()) if other else end


def source_loops(text):
    """(first line, last line, position) of every loop. The library has `for` and `while` loops only."""
    code = blank(text)
    line = lambda position: code.count("\n", 0, position) + 1
    found = []
    for m in re.finditer(r"\b(for|while)\b", code):
        found.append((line(m.start()), line(statement_end(code, m.start()) - 1), m.start()))
    return found


def launches(text):
    """(kernel, names and values without a type) of each launch comment."""
    comment = "\n".join(re.sub(r"^\s*//", "", line) if line.lstrip().startswith("//") else "\0"
                        for line in text.split("\n"))
    for m in re.finditer(r"launch:\s*(\w+)", comment):
        arguments = comment.index(">>>", m.end()) + 3
        body = comment[comment.index("(", arguments) + 1: closing(comment, comment.index("(", arguments)) - 1]
        values = re.findall(r"(?:^|,)\s*(\w+)\s*=\s*([^,]+)", " ".join(body.split()))
        yield m.group(1), values


def macros(text):
    """The macros of a file: sizes that are not a parameter of their kernel, as in the emulator."""
    code, found = blank(text), []
    for kernel, values in launches(text):
        head = code.index("(", re.search(rf"\b{kernel}\s*\(", code).start())
        parameters = re.findall(r"(\w+)\s*(?:,|\)$)", code[head: closing(code, head)])
        found += [(k, v.strip()) for k, v in values if k not in parameters]
    return found


def rolled(text, line):
    """The text with unrolling switched off for the loops of one line."""
    at = [p for first, _, p in source_loops(text) if first == line]
    for position in sorted(at, reverse=True):
        text = text[:position] + '_Pragma("unroll 1") ' + text[position:]
    return text


# Machine code -------------------------------------------------------------------------------------------------------

FP32 = {"FADD", "FMUL", "FFMA", "FSETP", "FSEL", "FMNMX", "FCHK", "FSET"}
FP64 = {"DADD", "DMUL", "DFMA", "DSETP"}
SPECIAL = {"MUFU", "I2F", "F2I", "F2F", "I2I", "FRND"}
BRANCH = {"BRA", "BRX", "EXIT", "CALL", "RET", "BSSY", "BSYNC", "BREAK", "YIELD", "WARPSYNC"}
BARRIER = {"BAR", "MEMBAR", "DEPBAR", "ERRBAR"}
EXCHANGE = {"SHFL", "VOTE", "MATCH", "VOTEU"}
SPACES = {"G": "global", "S": "shared", "L": "local", "C": "constant", "": "generic"}


class Instruction:
    def __init__(self, line, predicate, text):
        self.line, self.predicate = line, predicate
        self.parts = text.split()[0].split(".")
        self.name, self.operands = self.parts[0], text

    def memory(self):
        """(load | store | atomic, space, bytes) or None."""
        if m := re.fullmatch(r"(LD|ST|ATOM)([GSLC]?)|RED", self.name):
            what = {"LD": "load", "ST": "store"}.get(m.group(1), "atomic")
            space = SPACES[m.group(2) or ""] if self.name != "RED" else "global"
            widths = {"U8": 1, "S8": 1, "U16": 2, "S16": 2, "64": 8, "128": 16}
            return what, space, next((widths[p] for p in self.parts[1:] if p in widths), 4)
        return None

    def jumps(self):
        """Whether it is a branch. A call of a place in the same function is a branch to a far place."""
        return self.name == "BRA" or self.name == "CALL" and "`(." in self.operands

    def kind(self):
        if memory := self.memory():
            return f"{memory[0]} {memory[1]}"
        for kind, names in [("fp32", FP32), ("fp64", FP64), ("special", SPECIAL), ("branch", BRANCH),
                            ("barrier", BARRIER), ("exchange", EXCHANGE)]:
            if self.name in names:
                return kind
        return "integer"


class Function:
    """A kernel with its reachable basic blocks and its loops."""

    def __init__(self, name, lines):
        self.name, self.code, self.labels = name, [], {}
        source_line = 0
        for text in lines:
            if m := re.search(r'## File ".*", line (\d+)', text):
                source_line = int(m.group(1))
            elif m := re.match(r"(\S+):\s*$", text):
                self.labels[m.group(1)] = len(self.code)
            elif m := re.match(r"\s*/\*[0-9a-f]+\*/\s+(?:@(\S+)\s+)?([A-Z].*?)\s*;", text):
                self.code.append(Instruction(source_line, m.group(1), m.group(2)))
        self._blocks()
        self._dominators()
        self._loops()

    def _target(self, instruction):
        m = re.search(r"`\((\S+)\)", instruction.operands)
        return self.labels[m.group(1)] if m and instruction.jumps() else None

    def _blocks(self):
        starts = {0} | set(self.labels.values())
        starts |= {i + 1 for i, x in enumerate(self.code) if x.jumps() or x.name in ("EXIT", "RET", "BRX")}
        starts = sorted(s for s in starts if s < len(self.code))
        ends = starts[1:] + [len(self.code)]
        block_at = {s: i for i, s in enumerate(starts)}
        self.blocks, self.next = [], []
        for start, end in zip(starts, ends):
            last = self.code[end - 1]
            target = self._target(last)
            after = [block_at[target]] if target is not None else []
            falls = not (last.jumps() or last.name in ("EXIT", "RET")) or (last.predicate and last.predicate != "PT")
            if falls and end in block_at:
                after.append(block_at[end])
            self.blocks.append(self.code[start:end])
            self.next.append(after)
        self.reached, todo = set(), [0]
        while todo:
            b = todo.pop()
            if b not in self.reached:
                self.reached.add(b)
                todo += self.next[b]

    def slow(self, block):
        """Whether a block calls a subroutine, which handles the rare operands of a division or root."""
        return any(x.name == "CALL" and not x.jumps() for x in self.blocks[block])

    def _dominators(self):
        before = {b: [a for a in self.reached if b in self.next[a]] for b in self.reached}
        self.before = before
        self.above = {b: set(self.reached) for b in self.reached}
        self.above[0] = {0}
        changed = True
        while changed:
            changed = False
            for b in sorted(self.reached - {0}):
                new = set.intersection(*[self.above[a] for a in before[b]]) | {b}
                changed |= new != self.above[b]
                self.above[b] = new

    def _loops(self):
        """Natural loops by header: {header: (latches, blocks)}."""
        self.loops = {}
        for latch in self.reached:
            for header in self.next[latch]:
                if header in self.above[latch] and latch != header or header == latch:
                    latches, body = self.loops.setdefault(header, ([], {header}))
                    latches.append(latch)
                    todo = [latch]
                    while todo:
                        b = todo.pop()
                        if b not in body:
                            body.add(b)
                            todo += self.before[b]

    def count(self, blocks, ends):
        """Counts of some blocks. `sometimes` counts what a warp with all lanes may skip: blocks that are not on every path
        to all of `ends`, and predicated instructions other than branches."""
        certain = set.intersection(*[self.above[e] for e in ends])
        kinds, memory, maybe = Counter(), Counter(), Counter()
        for b in blocks:
            if self.slow(b):
                continue
            for x in self.blocks[b]:
                if x.name == "NOP":
                    continue
                always = b in certain and (not x.predicate or x.kind() == "branch")
                (kinds if always else maybe)[x.kind()] += 1
                if x.memory():
                    what, space, width = x.memory()
                    memory[f"{what} {space} {width}" + ("" if always else " sometimes")] += 1
        out = {"instructions": sum(kinds.values()), "classes": dict(sorted(kinds.items())),
               "memory": dict(sorted(memory.items()))}
        if maybe:
            out["sometimes"] = {"instructions": sum(maybe.values()), "classes": dict(sorted(maybe.items()))}
        return out


def functions(listing):
    parts = re.split(r"^//-+ \.text\.(\w+) -*", listing, flags=re.M)
    for name, body in zip(parts[1::2], parts[2::2]):
        registers = int(re.search(r"SHI_REGISTERS=(\d+)", body).group(1))
        yield Function(name, body.split("\n")), registers


# The table ----------------------------------------------------------------------------------------------------------


def line_of(function, header, loops):
    """The line of the innermost source loop around the line of a machine loop's back edge."""
    latch = function.loops[header][0][-1]
    around = [(first, last) for first, last, _ in loops if first <= function.blocks[latch][-1].line <= last]
    return max(around)[0] if around else function.blocks[latch][-1].line


def anchors(function, blocks):
    """Counts of what an unrolled body repeats: arithmetic on floats, accesses and barriers."""
    kinds = Counter(x.kind() for b in blocks if not function.slow(b) for x in function.blocks[b])
    return {k: n for k, n in kinds.items() if k not in ("integer", "branch")}


def unroll_factor(function, blocks, plain):
    """Rounds of the source loop per round of the machine loop, by the most common whole ratio."""
    many, one = anchors(function, blocks), anchors(*plain)
    ratios = [many[k] // one[k] for k in many if one.get(k) and many[k] % one[k] == 0]
    return Counter(ratios).most_common(1)[0][0] if ratios else None


def kernel_table(compiler, path):
    text, name = path.read_text(), path.name
    loops, defines = source_loops(text), macros(text)
    lines = sorted({first for first, _, _ in loops})
    plain = {line: {f.name: f for f, _ in functions(compiler.disassemble(rolled(text, line), name, defines))}
             for line in lines}
    out = {}
    for function, registers in functions(compiler.disassemble(text, name, defines)):
        rows, seen = [], set()
        for header, (latches, blocks) in sorted(function.loops.items()):
            line = line_of(function, header, loops)
            seen.add(line)
            other = plain.get(line, {}).get(function.name)
            bodies = [b for h, (_, b) in other.loops.items() if line_of(other, h, loops) == line] if other else []
            inner = not any(h != header and b < blocks for h, (_, b) in function.loops.items())
            rows.append({"line": line, "innermost": inner,
                         "unroll": unroll_factor(function, blocks, (other, bodies[0])) if bodies else None,
                         **function.count(blocks, latches)})
        used = {x.line for b in function.reached for x in function.blocks[b]}
        gone = [line for line, last, _ in loops if line not in seen and used & set(range(line, last + 1))]
        inside = set().union(*[b for _, b in function.loops.values()])
        ends = [b for b in function.reached if function.blocks[b][-1].name == "EXIT"
                and not function.blocks[b][-1].predicate]
        out[function.name] = {
            "registers": registers,
            "loops": rows,
            "unrolled_fully": gone,
            "outside_loops": function.count(function.reached - inside, ends),
        }
    return out


def table(compiler, kernels):
    return {
        "source": f"{compiler.version}, {ARCHITECTURE}, counts by scripts/tables/sass.py; docs/sass.md explains them",
        "kernels": {path.stem: kernel_table(compiler, path) for path in sorted(kernels.glob("*.cu"))},
    }


def forms(compiler, file, text, architecture, fixed):
    """A table of forms, with the registers of each."""
    rows = json.loads(file.read_text())["forms"]
    for row in rows:
        sizes = list({**row["sizes"], **fixed}.items())
        listing = compiler.disassemble(text.read_text(), text.name, sizes, architecture)
        row["registers"] = next(registers for _, registers in functions(listing))
    source = f"{compiler.version}, {architecture}, registers by scripts/tables/sass.py; docs/sass.md explains them"
    lines = ",\n".join(f"    {json.dumps(row)}" for row in rows)
    return f'{{\n  "source": "{source}",\n  "forms": [\n{lines}\n  ]\n}}\n'


def written(value, depth=0):
    """JSON with one line per innermost object, so that diffs are short."""
    flat = json.dumps(value)
    if not isinstance(value, (dict, list)) or len(flat) + 2 * depth <= 118 or not value:
        return flat
    pad = "  " * (depth + 1)
    if isinstance(value, dict):
        rows = [f"{pad}{json.dumps(k)}: {written(v, depth + 1)}" for k, v in value.items()]
        return "{\n" + ",\n".join(rows) + "\n" + "  " * depth + "}"
    return "[\n" + ",\n".join(pad + written(v, depth + 1) for v in value) + "\n" + "  " * depth + "]"


# Math functions -----------------------------------------------------------------------------------------------------


def paths(function, limit=2000):
    """The counts by class of each path from entry to exit without loops and subroutines, the shortest first."""
    found, todo = [], [([0], Counter())]
    while todo and len(found) < limit:
        way, kinds = todo.pop()
        block = way[-1]
        if function.slow(block):
            continue
        kinds = kinds + Counter(x.kind() for x in function.blocks[block] if x.name != "NOP")
        if not function.next[block]:
            found.append(kinds)
        todo += [(way + [after], kinds) for after in function.next[block] if after not in way]
    return sorted(found, key=lambda kinds: sum(kinds.values()))


def function_paths(compiler, element, expression):
    """The paths of `o[i] = expression` of `x` and `y`."""
    two = re.search(r"\by\b", expression)
    loads = f"{element} x = p[i]" + (", y = p[i + 32]" if two else "")
    text = f"__global__ void k(const {element}* p, {element}* o) {{ int i = threadIdx.x; {loads}; o[i] = {expression}; }}"
    return paths(next(functions(compiler.disassemble(text, "k.cu", [])))[0])


def print_functions(compiler, element, expressions):
    """Prints what expressions are beyond loading their operands and storing their value."""
    for expression in expressions:
        # The sum of two operands is one instruction.
        plain = "x + y" if re.search(r"\by\b", expression) else "x"
        around = function_paths(compiler, element, plain)[0]
        around.subtract({"fp64" if element == "double" else "fp32": plain == "x + y"})
        ways = []
        for kinds in function_paths(compiler, element, expression):
            kinds.subtract(around)
            ways.append(f"{sum(kinds.values())} ({', '.join(f'{k} {n}' for k, n in sorted(kinds.items()) if n)})")
        shown = [ways[0], ways[len(ways) // 2], ways[-1]] if ways else ["each has a subroutine"]
        print(f"{expression}: {len(ways)} paths: {'; '.join(dict.fromkeys(shown))}")


def main(arguments):
    compiler = Compiler()
    if arguments[:1] == ["--function"]:
        print_functions(compiler, arguments[1], arguments[2:])
        return
    if arguments[:1] == ["--show"]:
        path = next(p for kernels, _ in TABLES for p in kernels.glob(f"{arguments[1]}.cu"))
        print(compiler.disassemble(path.read_text(), path.name, macros(path.read_text())))
        return
    made_of = [(forms(compiler, *row), row[0]) for row in FORMS]
    made_of += [(written(table(compiler, kernels)) + "\n", file) for kernels, file in TABLES[::-1]]
    for made, file in made_of:
        if arguments[:1] != ["--check"]:
            file.write_text(made)
        elif made != file.read_text():
            raise SystemExit(f"{file.relative_to(ROOT)} does not fit the kernels: run scripts/tables/sass.py")


if __name__ == "__main__":
    main(sys.argv[1:])
