import { generateKeyPairSync, sign } from "node:crypto";
import { canonicalize, type Model, type PublicKey, scriptedModel, verifyRun } from "turnseal";
import { bindLoops, createRegistry, keyIdOf, memoryStores, systemClock } from "turnseal/host";
import { driveTurns } from "./drive-turns.ts";
import { measure, watch } from "./loops.ts";

const run = "8a1f3c52-0d4e-4b7a-9c61-5e2f7d8b9a01";
const stores = memoryStores(systemClock);
const registry = createRegistry();
for (const { definition } of [measure, watch]) registry.register(definition);

const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const { x: bytes = "" } = publicKey.export({ format: "jwk" });
const validFrom = new Date().toISOString();
const trusted: PublicKey = { keyId: keyIdOf(bytes), x: bytes, issuer: "development", validFrom };
const signer = {
  keyId: trusted.keyId,
  issuer: trusted.issuer,
  sign: async (data: Uint8Array) => new Uint8Array(sign(null, data, privateKey)),
};

const bound = bindLoops([measure]);
if (bound.kind === "refused") throw new Error("two functions have one name");

let attempt = 0;
const gauge: Model = scriptedModel(
  [1, 2].flatMap((number) => [
    { toolCalls: [{ tool: "local__measure", input: { attempt: number } }] },
    { json: { level: number * 30, isHigh: number * 30 > 50 } },
  ]),
);

const results = await driveTurns({
  ...{ run, stores, signer, registry, clock: systemClock, loop: "watch" },
  effects: { models: new Map([["scripted", gauge]]), tools: bound.tools, prices: undefined },
  grant: { grantor: "ada", tools: ["local.measure"], budget: { turns: 5, modelCalls: 10 } },
  next: (last) => {
    const output = last?.kind === "closed" ? last.output : undefined;
    const isHigh = typeof output === "object" && output !== null && "isHigh" in output;
    if (isHigh && output.isHigh === true) return undefined;
    attempt += 1;
    return { attempt };
  },
});
for (const [index, result] of results.entries()) {
  const { outcome, output } = result.kind === "closed" ? result : { outcome: result.kind };
  console.log(`turn ${index + 1}: ${outcome} ${JSON.stringify(output)}`);
}

const receipts = await stores.receipts.list(run, 1);
const texts = receipts.map(({ envelope }) => canonicalize(envelope));
const events = await stores.log.read(run, 1);
const verdict = await verifyRun({ run, events, receipts: texts }, { keys: [trusted] });
console.log(`${verdict.receipts} receipts, valid: ${verdict.valid}`);
for (const { code, message } of verdict.findings) console.log(code, message);
