import { expect, test } from "vitest";
import { formatLine, line, renderNext, toned } from "./line.ts";
import { nameProgram } from "./name-program.ts";

const show = (script: string | undefined, shown: ReturnType<typeof line>) =>
  formatLine(nameProgram({ npm_lifecycle_script: script })(shown), { isColoured: false });

// npx quotes what it runs.
test.each(["turnseal run fix --grant grant.json", "turnseal", "'turnseal'"])(
  "by npm, as %s",
  (script) => {
    expect(show(script, renderNext("turnseal verify 38a4"))).toBe(
      "  next: npx turnseal verify 38a4",
    );
    const two = line("  next: turnseal approve a  or: turnseal reject a");
    expect(show(script, two)).toBe("  next: npx turnseal approve a  or: npx turnseal reject a");
    const last = line(toned("faint", "the whole card: "), "turnseal inbox a");
    expect(show(script, last)).toBe("the whole card: npx turnseal inbox a");
  },
);

test.each([undefined, "", "vitest run", "node turnseal run", "turnseals x", "'turnseals'"])(
  "by %j",
  (script) => {
    expect(show(script, renderNext("turnseal verify a"))).toBe("  next: turnseal verify a");
  },
);

test("words of others stay as they are", () => {
  for (const words of ["I typed turnseal verify a", "turnseal verify a", "next time turnseal run"])
    expect(show("turnseal run", line(toned("faint", "answer  "), words))).toBe(`answer  ${words}`);
});
