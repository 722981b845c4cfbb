import fc from "fast-check";
import { jsonpath } from "json-p3";
import { describe, expect, test } from "vitest";

import { formatPath, PATH_LENGTH_MAX, type PathSegment, parsePath, readPath } from "./path.ts";
import { isReservedName } from "./reserved-names.ts";

// Written once, judged twice: by us and by an implementation of the whole of RFC 9535.
const singular = [
  ...["$", "$.a", "$.a.b", "$._", "$._1", "$.a1", "$.ä", "$.日本", "$.💡", "$.A_b"],
  ...["$['a']", '$["a"]', "$['']", "$['a b']", "$['a.b']", "$['*']", "$['$']", "$['@']", "$[']']"],
  ...[
    "$['\\'']",
    '$["\\""]',
    "$['\"']",
    '$["\'"]',
    "$['\\\\']",
    "$['\\/']",
    "$['\\n\\t\\b\\f\\r']",
  ],
  ...[
    "$['\\u0041']",
    "$['\\u00e4']",
    "$['\\u00E4']",
    "$['\\uD83D\\uDCA1']",
    "$['💡']",
    "$['\u007f']",
  ],
  ...["$[0]", "$[1]", "$[-1]", "$[10]", "$[9007199254740991]", "$[-9007199254740991]"],
  ...[
    "$[ 0 ]",
    "$[\t0\n]",
    "$[ 'a' ]",
    "$ .a",
    "$\n.a",
    "$\r[0]",
    "$ ['a'] .b",
    "$.a[0]['b'].c[-2]",
  ],
];
const refusedByBoth = [
  ...["", "a", "@", "@.a", "$a", "$.", "$..", "$.a.", "$.1", "$.-a", "$.'a'", "$.[0]", "$. a"],
  ...[
    " $",
    "$ ",
    "$.a ",
    "$.a\n",
    "$$",
    "$]",
    "$[",
    "$[]",
    "$[0",
    "$['a'",
    "$['a]",
    "$[a]",
    "$[\"a']",
  ],
  ...["$[00]", "$[01]", "$[-0]", "$[-01]", "$[+1]", "$[1.0]", "$[1e2]", "$[- 1]", "$[0x1]"],
  ...["$[9007199254740992]", "$[-9007199254740992]", "$[99999999999999999999]"],
  ...[
    "$['\\x41']",
    "$['\\\"']",
    '$["\\\'"]',
    "$['\\u12']",
    "$['\\uD83D']",
    "$['\\uDCA1']",
    "$['\\a']",
  ],
  ...[
    "$['\n']",
    "$['\u0000']",
    "$['\u001f']",
    "$['a''b']",
    "$('a')",
    "$.a()",
    "length($)",
    "$.a b",
  ],
];
// The other implementation reads a hyphen in a bare name, which the grammar of the RFC does not
// have.
const refusedByUs = ["$.a-b", "$.input.first-name"];
const moreThanSingular = [
  ...[
    "$.*",
    "$[*]",
    "$.a.*",
    "$..a",
    "$..*",
    "$..[0]",
    "$..['a']",
    "$[0,1]",
    "$['a','b']",
    "$[0,'a']",
  ],
  ...["$[0:1]", "$[:]", "$[::]", "$[1:]", "$[:2]", "$[::2]", "$[-1:]", "$[?@.a]", "$[?@.a==1]"],
  ...["$[?@.a && @.b]", "$[?!@.a]", "$[?length(@.a)>1]", "$[?count(@.*)>1]", "$[?match(@.a,'x')]"],
];

const root = {
  a: { b: [1, [2, 3], { c: [4, 5, 6] }], "": 7 },
  "a b": 8,
  list: [[{ b: { c: [9, 10] } }], null],
  "'": 11,
  '"': 12,
  "💡": { ä: 13 },
  nothing: null,
};

describe("against an independent implementation of RFC 9535", () => {
  test.each(singular)("%j is a query for both", (text) => {
    expect(() => jsonpath.compile(text)).not.toThrow();
    expect(parsePath(text).kind).toBe("path");
  });

  test.each(refusedByBoth)("%j is no query for both", (text) => {
    expect(() => jsonpath.compile(text)).toThrow();
    expect(parsePath(text).kind).toBe("refused");
  });

  test.each(refusedByUs)("%j is no query for us", (text) => {
    expect(parsePath(text).kind).toBe("refused");
  });

  test.each(moreThanSingular)("%j is a query, and not a mapping path", (text) => {
    expect(() => jsonpath.compile(text)).not.toThrow();
    expect(parsePath(text).kind).toBe("refused");
  });

  const values = [
    ...["$", "$.a", "$.a.b", "$.a.b[0]", "$.a.b[-1].c[1]", "$.a.b[1][-2]", "$.a['']", "$['a b']"],
    ...["$.list[0][0].b.c[-1]", "$.list[-1]", "$['\\'']", "$['\"']", "$.💡.ä", "$.nothing"],
    ...["$.missing", "$.a.missing", "$.a.b[9]", "$.a.b[-9]", "$.a[0]", "$.a.b.c", "$.nothing.x"],
    ...["$.missing.x", "$.list.length", "$['a b'].x", "$.toString", "$.a.b.length"],
  ];
  test.each(values)("%j has the same value for both", (text) => {
    const theirs = jsonpath.query(text, root).values();
    const parsed = parsePath(text);
    if (parsed.kind !== "path") throw new Error(parsed.reason);
    const ours = readPath(root, parsed.segments);
    // Where they find nothing, we say whether that is absence or an error.
    expect(ours.kind === "value" ? [ours.value] : []).toEqual(theirs);
  });
});

describe("formatPath", () => {
  test("writes any segments so that they are read back", () => {
    const unit = fc.constantFrom(..."ab1_ .$[]'\"\\/\u0000\u001f\u007fä日\u2028💡", "__proto__");
    const name = fc.string({ unit, maxLength: 12 }).filter((text) => !isReservedName(text));
    const segment: fc.Arbitrary<PathSegment> = fc.oneof(name, fc.maxSafeInteger());
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 6 }), (generated) => {
        const segments = generated.map((item) => (Object.is(item, -0) ? 0 : item));
        const text = formatPath(segments);
        fc.pre(text.length <= PATH_LENGTH_MAX);
        expect(parsePath(text)).toEqual({ kind: "path", segments });
      }),
      { seed: 9535, numRuns: 500 },
    );
  });

  test("writes plain names plainly", () => {
    expect(formatPath(["steps", 0, "output", "a b", -1])).toBe('$.steps[0].output["a b"][-1]');
  });
});

describe("parsePath", () => {
  test("takes PATH_LENGTH_MAX units and refuses one more", () => {
    const longest = `$.${"a".repeat(PATH_LENGTH_MAX - 2)}`;
    expect(parsePath(longest).kind).toBe("path");
    expect(parsePath(`${longest}a`)).toEqual({ kind: "refused", reason: "is longer than 1000" });
  });

  test("refuses a lone surrogate, written or escaped", () => {
    expect(parsePath("$['\ud800']").kind).toBe("refused");
    expect(parsePath("$.a\udc00").kind).toBe("refused");
    expect(parsePath("$['\\ud800']").kind).toBe("refused");
  });

  test("names the reserved name that it refuses", () => {
    for (const name of ["__proto__", "constructor", "prototype"]) {
      expect(parsePath(`$.input['${name}']`)).toEqual({
        kind: "refused",
        reason: `uses the reserved name \`${name}\``,
      });
    }
  });

  test("never throws and answers quickly, whatever the text", () => {
    const alphabet = fc.constantFrom(..."$.['\"]\\u0aA-*?:@ \n(),💡".split(""), "__proto__");
    fc.assert(
      fc.property(fc.array(alphabet, { maxLength: 60 }), (parts) => {
        expect(["path", "refused"]).toContain(parsePath(`$${parts.join("")}`).kind);
      }),
      { seed: 9535, numRuns: 1_000 },
    );
  });
});

describe("readPath", () => {
  test("does not reach a prototype, even by segments that were not parsed", () => {
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      expect(readPath({}, [name])).toEqual({ kind: "absent" });
      expect(readPath([], [name]).kind).toBe("broken");
      expect(readPath("text", [name]).kind).toBe("broken");
    }
  });

  test("names where a path breaks, and no value", () => {
    const read = readPath({ input: { secret: "swordfish" } }, ["input", "missing", "x"]);
    expect(read).toEqual({ kind: "broken", reason: "nothing at $.input.missing" });
    const deeper = readPath({ input: { secret: "swordfish" } }, ["input", "secret", "x"]);
    expect(deeper).toEqual({ kind: "broken", reason: "`x` on what is not an object" });
  });
});
