import { describe, expect, test } from "vitest";
import { EFFECTS } from "./outcomes.ts";
import { keepsReservation, mayResolve, RESOLUTIONS } from "./resolutions.ts";

/** The resolutions of each actor by declared effect: everything that is not listed is refused. */
const byKernel: Readonly<Record<string, readonly string[]>> = {
  again: ["read", "idempotent"],
  orphaned: ["repeatable"],
  never: ["reconcile"],
  happened: ["reconcile"],
  retry: [],
  abandon: [],
};
const declarations = [...EFFECTS, "repeatable", "unheard-of", undefined];

describe.each(RESOLUTIONS)("%s", (resolution) => {
  test("the kernel may say it of these declarations only", () => {
    const allowed = declarations.filter((effect) =>
      mayResolve(resolution, { effect, by: "kernel" }),
    );
    expect(allowed).toEqual(byKernel[resolution]);
  });

  test("a person's word adds what only a person may say", () => {
    const isForPersons = ["happened", "retry", "abandon"].includes(resolution);
    const allowed = mayResolve(resolution, { effect: "once", by: "person" });
    expect(allowed).toBe(isForPersons);
  });

  test("the host and another run may say no more than the kernel", () => {
    for (const effect of declarations) {
      const kernel = mayResolve(resolution, { effect, by: "kernel" });
      expect(mayResolve(resolution, { effect, by: "host" })).toBe(kernel);
      expect(mayResolve(resolution, { effect, by: "run" })).toBe(kernel);
    }
  });
});

test("what is not a resolution may be said by nobody", () => {
  for (const word of ["", "Happened", "toString", "__proto__", null, 1]) {
    expect(mayResolve(word, { effect: "read", by: "person" })).toBe(false);
    expect(keepsReservation(word)).toBe(false);
  }
});

test("a reservation is kept where the key is claimed again", () => {
  expect(RESOLUTIONS.filter(keepsReservation)).toEqual(["never", "retry", "again"]);
});
