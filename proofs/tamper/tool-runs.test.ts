// Runs that used files and commands, before both verifiers: as they are, and forged.
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { folderRoots } from "@turnseal/adapters/fs";
import { createLocalHost } from "@turnseal/host";
import { createMemorySigner, memoryStores, systemClock } from "@turnseal/ports";
import { canonicalize, type JsonObject, type RawEvent } from "@turnseal/protocol";
import { defineComposite, jsonSchema } from "@turnseal/protocol/authoring";
import { DEMO_KEY, type PublicKey } from "@turnseal/protocol/receipts";
import { bubblewrap, commandTools, fileTools, grantTerms } from "@turnseal/tools";
import { afterAll, expect, test } from "vitest";
import { changeContent, type Draft } from "../corpus/draft.ts";
import { finishTree } from "../corpus/finish-tree.ts";
import { toDraft } from "../corpus/to-draft.ts";
import type { MadeRun } from "../vectors/seal-events.ts";
import { verifyWithPython } from "./python-verifier.ts";
import { describeVerdict } from "./verdict.ts";
import { type Case, verifyCase } from "./verify-case.ts";

const folder = mkdtempSync(join(tmpdir(), "turnseal-tool-runs-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function makeRun(): Promise<{ readonly bundle: MadeRun; readonly key: PublicKey }> {
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, "a.txt"), "one\n");
  if (process.getuid?.() === 0) chownSync(folder, 65_534, 65_534);
  const sandbox = bubblewrap();
  const { run } = commandTools({ root: "site", folder, sandbox, profile: "workspace-write" });
  const network = { hosts: ["docs.example.com"], verbs: ["read"] as const };
  const reaching = commandTools({
    ...{ root: "site", folder, sandbox, profile: "network", network, name: "net" },
  });
  const files = fileTools("site");
  const work = defineComposite({
    ...{ id: "work", version: "1.0.0", input: jsonSchema<object>({ type: "object" }) },
    output: jsonSchema<object>({ type: "object" }),
    steps: (steps) =>
      steps
        .call("ran", run, () => ({ argv: ["cp", "a.txt", "b.txt"] }))
        .call("reached", reaching.run, () => ({ argv: ["true"] }))
        .call("read", files.read, () => ({ path: "b.txt" })),
  });
  const [stores, signer] = [memoryStores(systemClock), await createMemorySigner()];
  const roots = folderRoots({ site: folder });
  const host = createLocalHost({ loops: [work], stores, signer, clock: systemClock, roots });
  const terms = [
    grantTerms.commands("site", { profile: "workspace-write", commands: ["cp/**"] }),
    grantTerms.commands("site", { profile: "network" }),
    grantTerms.hosts(["docs.example.com:443"]),
    grantTerms.files("site"),
  ];
  const tools = ["process.run", "net.run", "fs.read"];
  const grant = { grantor: "ada", tools, terms, budget: { toolCalls: 4 } };
  const { run: id, status } = await host.run(work, {}, { grant, by: "ada" });
  expect(status).toBe("completed");
  const events = (await stores.log.read(id, 1)) as unknown as readonly RawEvent[];
  const receipts = (await stores.receipts.list(id, 1)).map(({ envelope }) =>
    canonicalize(envelope as never),
  );
  const validFrom = "2020-01-01T00:00:00.000Z";
  const key: PublicKey = {
    ...{ keyId: signer.keyId, x: signer.x, issuer: "development", validFrom },
  };
  return { bundle: { run: id, events, receipts } as never, key };
}

const { bundle, key } = await makeRun();

/** The findings that both verifiers make. */
async function verifyTwice(input: Case): Promise<readonly string[]> {
  const ours = await verifyCase(input);
  const [theirs] = await verifyWithPython([input]);
  if (theirs === undefined) throw new Error("the second verifier did not answer");
  expect(describeVerdict(theirs)).toBe(describeVerdict(ours));
  return ours.findings.map(({ code }) => code);
}

/** A turn names the key that seals it. */
const withKey = (draft: Draft): Draft =>
  draft.type === "turn.closed"
    ? changeContent(draft, { key: { id: DEMO_KEY.keyId, issuer: DEMO_KEY.issuer } })
    : draft;

function sealAgain(change: (draft: Draft) => Draft): Case {
  const { run, events: drafts } = toDraft(bundle);
  const events = drafts.map((draft) => withKey(change(draft)));
  const [forged] = finishTree([{ run, events }], { restates: true });
  return { keys: [DEMO_KEY], bundle: forged };
}

const isCommand = ({ type, content: { term } }: Draft) =>
  type === "action.claimed" && term === "process.run";

test("a run with commands and files verifies, and its claim names profile and stage", async () => {
  expect(await verifyTwice({ keys: [key], bundle })).toEqual([]);
  expect(await verifyTwice(sealAgain((draft) => draft))).toEqual([]);
  const claim = toDraft(bundle).events.find(isCommand);
  const named = { resource: "site:workspace-write", capability: "sandbox.bubblewrap" };
  expect(claim?.content).toMatchObject({ needs: [named] });
});

const isReaching = ({ type, content: { term } }: Draft) =>
  type === "action.claimed" && term === "net.run";
const reachingNeeds = [
  {
    ...{ family: "turnseal.command", resource: "site:network", verb: "execute" },
    capability: "sandbox.bubblewrap",
  },
  { family: "network", resource: "web", verb: "read", capability: "network_egress" },
];

test("a claim of a command with a network names the profile and the verbs", () => {
  const claim = toDraft(bundle).events.find(isReaching);
  expect(claim?.content).toMatchObject({
    needs: reachingNeeds,
    terms: ["commands-site-network", "web-read"],
  });
});

test.each<[string, JsonObject]>([
  ["another verb", { needs: [reachingNeeds[0] ?? {}, { ...reachingNeeds[1], verb: "create" }] }],
  ["another profile", { needs: [{ ...reachingNeeds[0], resource: "site:unrestricted" }] }],
  ["no term for its hosts", { terms: ["commands-site-network"] }],
  ["no term for its profile", { terms: ["web-read"] }],
  ["the term of another profile", { terms: ["commands-site-workspace-write", "web-read"] }],
])("a claim with a network and %s, sealed again, is found by both", async (_, fields) => {
  const forged = sealAgain((draft) => (isReaching(draft) ? changeContent(draft, fields) : draft));
  expect(await verifyTwice(forged)).toContain("EFFECT_WITHOUT_GRANT");
});

const need = {
  ...{ family: "turnseal.command", resource: "site:workspace-write", verb: "execute" },
  capability: "sandbox.bubblewrap",
};
test.each<[string, JsonObject]>([
  ["another profile", { needs: [{ ...need, resource: "site:unrestricted" }] }],
  ["another stage", { needs: [{ ...need, capability: "sandbox.none" }] }],
  ["another workspace", { needs: [{ ...need, resource: "other:workspace-write" }] }],
  ["another verb", { needs: [{ ...need, verb: "read" }] }],
  ["another family", { needs: [{ ...need, family: "workspace" }] }],
  ["the term of files", { terms: ["files-site"] }],
  ["a term that is not granted", { terms: ["commands-site-unrestricted"] }],
  ["no term", { terms: [] }],
])("a claim with %s, sealed again, is found by both", async (_, fields) => {
  const forged = sealAgain((draft) => (isCommand(draft) ? changeContent(draft, fields) : draft));
  expect(await verifyTwice(forged)).toContain("EFFECT_WITHOUT_GRANT");
});
