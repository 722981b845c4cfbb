import type { FlowNode, LoopDef } from "@turnseal/protocol";
import { formatLine, measureText } from "@turnseal/terminal";
import { drawLoop, drawNode, renderMermaid, renderSvg, renderTree } from "@turnseal/terminal/draw";
import { describe, expect, test } from "vitest";
import { sampleLoop } from "./sample.test.data.ts";

const header = { version: "1.0.0", inputSchema: true, outputSchema: true } as const;
const showTree = (loop: LoopDef): string[] =>
  renderTree(drawLoop(loop)).map((each) => formatLine(each, { isColoured: false }));

describe("a tree", () => {
  test("shows every kind of node, states in the order in which they are reached", () => {
    expect(showTree(sampleLoop)).toEqual([
      "sequence",
      "├─ call search  as found",
      "│  │   “look it up”",
      "│  │   retry exponential, 5 times in all",
      "│  └─ otherwise",
      "│     └─ call archive",
      "├─ parallel, 1 of 2, 2 at once  as views",
      "│  ├─ call legal",
      "│  └─ sequence",
      "│     ├─ call cost",
      "│     └─ call audit",
      "├─ branch",
      "│  ├─ when found.output.rows.size() > 10 && input.…",
      "│  │  └─ for each row of $.found.output.rows, at most 50, 2 may fail",
      "│  │     └─ call digest",
      "│  │            within 5.0 s",
      "│  │            skipped on error",
      '│  ├─ when input.kind == "</text><script>"',
      "│  │  └─ wait for the signal more, within 1 h, or goes on",
      "│  └─ else",
      "│     └─ repeat until last.ok, at most 5 rounds",
      "│        └─ call fix",
      "└─ machine, from draft",
      "   ├─ state draft",
      "   │  │   to review when result.status == 'ok'",
      "   │  │   then draft",
      "   │  └─ call write",
      "   ├─ state review",
      "   │  │   to done when last == 'yes'",
      "   │  │   then draft",
      "   │  └─ on entry",
      "   │     └─ call notify",
      "   └─ state done, the end",
    ]);
  });

  test("fits into 80 columns", () => {
    const widths = showTree(sampleLoop).map(measureText);
    expect(Math.max(...widths)).toBeLessThanOrEqual(80);
  });

  test("shows steps, the tools of a prompt, and what a tool is bound to", () => {
    const steps = [
      { loopId: "a", inputMapping: {}, outputBinding: "x" },
      { loopId: "b", loopVersion: "2.0.0", inputMapping: {} },
    ];
    const loop = { ...header, id: "of", name: "of" };
    expect(showTree({ ...loop, kind: "composite", composite: { steps } })).toEqual([
      "steps",
      "├─ call a  as x",
      "└─ call b 2.0.0",
    ]);
    const prompt = { template: "Say", variables: [], tools: [{ loopId: "a", independent: true }] };
    expect(showTree({ ...loop, kind: "prompt", prompt })).toEqual([
      "prompt of",
      "└─ may ask for",
      "   └─ a",
      "          beside others",
    ]);
    expect(showTree({ ...loop, kind: "tool", tool: { implementation: "local.of" } })).toEqual([
      "tool of",
      "    bound to local.of",
    ]);
  });

  test.each([
    ["\u001b[2J", "call \\u001b[2J"],
    ["a\nb", "call a\\nb"],
    ["x".repeat(100), `call ${"x".repeat(39)}…`],
  ])("shows %j without obeying it", (loopId, shown) => {
    const { title } = drawNode({ kind: "call", loopId, inputMapping: {} });
    expect(title).toBe(shown);
  });
});

describe("a flowchart", () => {
  test("leads through every kind of node", () => {
    expect(renderMermaid(drawLoop(sampleLoop), "triage 1.0.0").split("\n")).toEqual([
      "flowchart TD",
      '  n0(["triage 1.0.0"])',
      '  n1["call search<br>as found<br>“look it up”<br>retry exponential, 5 times in all"]',
      '  n2["call archive"]',
      '  subgraph n3["parallel, 1 of 2, 2 at once<br>as views"]',
      '    n4["call legal"]',
      '    n5["call cost"]',
      '    n6["call audit"]',
      "  end",
      '  n7{"branch"}',
      '  subgraph n8["for each row of $.found.output.rows, at most 50, 2 may fail"]',
      '    n9["call digest<br>within 5.0 s<br>skipped on error"]',
      "  end",
      '  n10[/"wait for the signal more, within 1 h, or goes on"/]',
      '  subgraph n11["repeat until last.ok, at most 5 rounds"]',
      '    n12["call fix"]',
      "  end",
      '  subgraph n13["machine, from draft"]',
      '    n14(["state draft"])',
      '    n15["call write"]',
      '    n16(["state review"])',
      '    n17["call notify"]',
      '    n18(["state done, the end"])',
      "  end",
      '  n1 -. "otherwise" .-> n2',
      "  n5 --> n6",
      '  n7 -- "when found.output.rows.size() #62; 10 #38;#38; input.…" --> n8',
      '  n7 -- "when input.kind == #34;#60;/text#62;#60;script#62;#34;" --> n10',
      '  n7 -- "else" --> n11',
      "  n14 --> n15",
      "  n16 --> n17",
      "  n15 -- \"result.status == 'ok'\" --> n16",
      "  n15 --> n14",
      "  n17 -- \"last == 'yes'\" --> n18",
      "  n17 --> n14",
      "  n1 --> n3",
      "  n2 --> n3",
      "  n3 --> n7",
      "  n8 --> n13",
      "  n10 --> n13",
      "  n11 --> n13",
      "  n0 --> n1",
      "",
    ]);
  });

  test("leads past a branch of which no case has to hold", () => {
    const call: FlowNode = { kind: "call", loopId: "a", inputMapping: {} };
    const branch: FlowNode = { kind: "branch", cases: [{ when: "true", do: call }] };
    const flow = drawNode({ kind: "sequence", nodes: [branch, call] });
    expect(renderMermaid(flow, "of").split("\n").slice(5)).toEqual([
      '  n1 -- "when true" --> n2',
      "  n2 --> n3",
      '  n1 -- "else" --> n3',
      "  n0 --> n1",
      "",
    ]);
  });

  test("has nothing in it that Mermaid would read", () => {
    const flow = drawNode({ kind: "call", loopId: '"] --> x["`#<b>', inputMapping: {} });
    expect(renderMermaid(flow, "of")).toContain(
      'n1["call #34;#93; --#62; x#91;#34;#96;#35;#60;b#62;"]',
    );
  });
});

describe("an SVG", () => {
  test("is boxes inside each other, each as large as what it holds", () => {
    const call: FlowNode = { kind: "call", loopId: "a", inputMapping: {} };
    const flow = drawNode({ kind: "repeat", until: "last < 3", max: 2, body: call });
    expect(renderSvg(flow, "of 1.0.0").split("\n").slice(1)).toEqual([
      "<title>of 1.0.0</title>",
      expect.stringMatching(/^<defs><marker id="head" .*<\/defs>$/),
      '<rect width="337" height="149" fill="#fff"/>',
      '<text x="16" y="28" font-weight="700" font-size="14" xml:space="preserve">of 1.0.0</text>',
      '<rect x="16" y="49" width="304.7" height="84" rx="6" fill="#f3efff" stroke="#7257b8"/>',
      '<text x="26" y="71" font-weight="600" fill="#222" xml:space="preserve">repeat until last &lt; 3, at most 2 rounds</text>',
      '<rect x="136.5" y="86" width="63.8" height="37" rx="6" fill="#eef4ff" stroke="#4a6fb5"/>',
      '<text x="146.5" y="108" font-weight="600" fill="#222" xml:space="preserve">call a</text>',
      "</svg>",
      "",
    ]);
  });

  test("is the same each time, and every tag that it opens it closes", () => {
    const text = renderSvg(drawLoop(sampleLoop), "triage 1.0.0");
    expect(renderSvg(drawLoop(sampleLoop), "triage 1.0.0")).toBe(text);
    const opened = text.match(/<[a-z]+(?:\s[^>]*[^/])?>/g)?.length ?? 0;
    expect(text.match(/<\/[a-z]+>/g)).toHaveLength(opened);
  });

  test("has no script, whatever a document says", () => {
    const text = renderSvg(drawLoop(sampleLoop), "triage 1.0.0");
    expect(text).toContain("input.kind == &quot;&lt;/text&gt;&lt;script&gt;&quot;");
    expect(text).not.toMatch(/<script|<foreignObject|<image|\bon[a-z]+=|href/);
  });

  test("gives wide characters the room that they take", () => {
    const widthOf = (loopId: string): number => {
      const svg = renderSvg(drawNode({ kind: "call", loopId, inputMapping: {} }), "x");
      return Number(/ width="(\d+)"/.exec(svg)?.[1]);
    };
    expect(widthOf("漢字")).toBe(widthOf("abcd"));
  });
});
