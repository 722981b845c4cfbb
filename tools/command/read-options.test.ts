import { describe, expect, test } from "vitest";
import { flag, json, oneOf, operand, someOf, wholeNumber, wholeNumbers, words } from "./options.ts";
import { parseOptions } from "./read-options.ts";
import { renderUsage } from "./render-usage.ts";

const options = {
  kills: wholeNumber({ takes: "kills", says: "how many", default: 2_000, atLeast: 0 }),
  seed: wholeNumber({ takes: "number", says: "where chance comes from", default: 1 }),
  only: wholeNumber({ takes: "number", says: "only this", default: undefined, atLeast: 1 }),
  runs: wholeNumbers({ takes: "counts", says: "sizes", default: [10, 100], atLeast: 1 }),
  entry: oneOf(["loops", "events"], { takes: "entry", says: "only here" }),
  fault: someOf(["node killed", "frozen"], { takes: "name", says: "only this; again for more" }),
  folder: words({ takes: "folder", says: "where", default: "here" }),
  bail: flag("ends early"),
  json,
};
const place = {
  name: operand(oneOf(["call", "turn"], { takes: "name", says: "what" }), "required"),
  json,
};

function read(...args: string[]) {
  const parsed = parseOptions(options, args);
  return parsed.kind === "parsed" ? parsed.values : parsed;
}

function refusal(...args: string[]): string {
  const parsed = parseOptions(options, args);
  return parsed.kind === "refused" ? parsed.problem : parsed.kind;
}

describe("what is given", () => {
  test("is the default where it is not given", () => {
    expect(read()).toEqual({
      ...{ kills: 2_000, seed: 1, only: undefined, runs: [10, 100], entry: undefined },
      ...{ fault: [], folder: "here", bail: false, json: false },
    });
  });

  test("is read by its kind, in both ways to write it", () => {
    const given = ["--kills", "0", "--seed=-7", "--runs", "1,2", "--entry=events", "--json"];
    expect(read(...given, "--fault", "frozen", "--fault", "node killed")).toMatchObject({
      ...{ kills: 0, seed: -7, runs: [1, 2], entry: "events", json: true, bail: false },
      fault: ["frozen", "node killed"],
    });
  });

  test("counts once: the last is taken", () => {
    expect(read("--kills", "3", "--kills", "4")).toMatchObject({ kills: 4 });
  });

  test.each([["--help"], ["-h"], ["--kills", "x", "--help"], ["--nonsense", "--help"]])(
    "is a question for help: %s %s %s",
    (...args) => {
      expect(parseOptions(options, args)).toEqual({ kind: "help" });
    },
  );
});

describe("one line names what is wrong", () => {
  test.each([
    ["--kills", "-1", '--kills must be a whole number of at least 0, not "-1"'],
    ["--kills", "1.5", '--kills must be a whole number of at least 0, not "1.5"'],
    ["--kills", "9007199254740992", "--kills must be a whole number of at least 0, not "],
    ["--only", "0", '--only must be a whole number of at least 1, not "0"'],
    ["--seed", "x", '--seed must be a whole number, not "x"'],
    ["--seed", "", '--seed must be a whole number, not ""'],
    ["--seed", " ", '--seed must be a whole number, not " "'],
    ["--seed", "Infinity", '--seed must be a whole number, not "Infinity"'],
    [
      "--runs",
      "1,",
      '--runs must be whole numbers of at least 1 with commas between them, not "1,"',
    ],
    ["--runs", "1,0", "--runs must be whole numbers of at least 1"],
    ["--entry", "toString", '--entry must be one of loops, events, not "toString"'],
    ["--fault", "node", '--fault must be one of "node killed", frozen, not "node"'],
    ["--folder", "", '--folder must be a folder, not ""'],
  ])("a value: %s %j", (option, value, problem) => {
    expect(refusal(option, value)).toContain(problem);
    expect(refusal(`${option}=${value}`)).toContain(problem);
  });

  test("a value that is missing, at the end or before the next option", () => {
    expect(refusal("--kills")).toBe("--kills needs a value: a whole number of at least 0");
    expect(refusal("--folder", "--json")).toBe("--folder needs a value: a folder");
  });

  test("a value that nobody asked for", () => {
    expect(refusal("--json=yes")).toBe('--json must be given without a value, not "yes"');
  });

  test.each(["--nonsense", "--no-json", "--constructor", "--__proto__", "-k", "--nonsense=1"])(
    "an option that is not there: %s",
    (option) => {
      expect(refusal(option)).toBe(`there is no option ${option.replace("=1", "")}`);
    },
  );

  test("a word without a place", () => {
    expect(refusal("--bail", "yes")).toBe('there is no place for "yes"');
    expect(refusal("--", "--json")).toBe('there is no place for "--json"');
  });
});

describe("what is given by its place", () => {
  const parse = (...args: string[]) => parseOptions(place, args);

  test("stands before or after options", () => {
    const values = { name: "turn", json: true };
    expect(parse("turn", "--json")).toEqual({ kind: "parsed", values });
    expect(parse("--json", "turn")).toEqual({ kind: "parsed", values });
  });

  test.each([
    [[], "<name> is missing: one of call, turn"],
    [["--json"], "<name> is missing: one of call, turn"],
    [["cal"], '<name> must be one of call, turn, not "cal"'],
    [["call", "turn"], 'there is no place for "turn"'],
    [["--name", "call"], "there is no option --name"],
  ])("is refused: %j", (args, problem) => {
    expect(parse(...args)).toEqual({ kind: "refused", problem });
  });

  test("may be left out where it has a default", () => {
    const folder = operand(words({ takes: "folder", says: "where", default: "out" }), "optional");
    expect(parseOptions({ folder }, [])).toEqual({ kind: "parsed", values: { folder: "out" } });
    expect(parseOptions({ folder }, ["in"])).toEqual({ kind: "parsed", values: { folder: "in" } });
  });
});

describe("the usage", () => {
  const command = { name: "npm run proof crash", about: ["Kills."], lasts: "an hour", options };

  test("says what is typed, every option with its default, and how long it takes", () => {
    const { kills, runs, fault, bail } = options;
    expect(
      renderUsage({ ...command, needs: "a disk", options: { kills, runs, fault, bail } }),
    ).toBe(
      `usage: npm run proof crash -- [--kills <kills>] [--runs <counts>] [--fault <name>] [--bail]

Kills.

  --kills <kills>  how many (default 2000)
  --runs <counts>  sizes (default 10,100)
  --fault <name>   only this; again for more
  --bail           ends early
  --help           this text

It needs a disk.
It takes an hour.
`,
    );
  });

  test("shows a place as one, and no dashes where nothing can be given", () => {
    const firstLine = (shown: string): string => shown.split("\n")[0] ?? "";
    const bench = { ...command, name: "npm run bench", options: place };
    expect(firstLine(renderUsage(bench))).toBe("usage: npm run bench -- <name> [--json]");
    const named = { ...command, name: "npm run bench -- call", options: { json } };
    expect(firstLine(renderUsage(named))).toBe("usage: npm run bench -- call [--json]");
    expect(firstLine(renderUsage({ ...command, options: {} }))).toBe("usage: npm run proof crash");
  });
});
