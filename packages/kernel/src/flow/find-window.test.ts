import { scriptedModel } from "@turnseal/ports";
import { expect, test } from "vitest";
import { CONTEXT_TOKENS_DEFAULT } from "../limits.ts";
import { findWindow } from "./find-window.ts";

type Recorded = { readonly tokens: number | null } | undefined;

function ask(stated: readonly (number | undefined)[], recorded?: Recorded, own?: number) {
  const policy = own === undefined ? {} : { contextTokensMax: own };
  const candidates = stated.map((tokens, index) => ({
    model: { ...scriptedModel([]), contextTokens: () => tokens },
    backend: { id: `b${index}` },
  }));
  // Only the fields that it reads.
  const given = [
    { definition: { policy } },
    { candidates },
    { frame: {}, world: { kind: "run", effects: { journal: { findWindow: () => recorded } } } },
  ] as unknown as Parameters<typeof findWindow>;
  return findWindow(...given);
}

const usual = { tokensMax: CONTEXT_TOKENS_DEFAULT, isStated: false };

test.each<[string, ReturnType<typeof ask>, object]>([
  [
    "what the policy says",
    ask([5_000], { tokens: 7 }, 9_000),
    { tokensMax: 9_000, isStated: false },
  ],
  ["what the model says", ask([5_000]), { tokensMax: 5_000, isStated: true }],
  ["the smallest of all", ask([5_000, 4_000]), { tokensMax: 4_000, isStated: true }],
  [
    "also more than CONTEXT_TOKENS_DEFAULT",
    ask([1_000_000]),
    { tokensMax: 1_000_000, isStated: true },
  ],
  ["the default beside one that does not say", ask([1_000_000, undefined]), usual],
  ["CONTEXT_TOKENS_DEFAULT where nobody says", ask([undefined]), usual],
  ["the default for what is no number of tokens", ask([Number.NaN]), usual],
  ["the default for a negative number", ask([-5]), usual],
  ["the default for a part of a token", ask([10.5]), usual],
  ["what is recorded", ask([5_000], { tokens: 6_000 }), { tokensMax: 6_000, isStated: true }],
  ["the default where the record has none", ask([5_000], { tokens: null }), usual],
])("the window is %s", (_, window, wanted) => {
  expect(window).toEqual(wanted);
});
