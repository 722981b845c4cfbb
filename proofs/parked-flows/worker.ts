/** A worker of one release, in a process of its own; it says when everything new goes to it. */
import { deployWorker, startWorker } from "@turnseal/operate/worker";
import { createPost } from "../chaos/payment-turns.ts";
import { crashSigner } from "../kit/crash-key.ts";
import { createLoops, RELEASES } from "./releases.ts";

export interface WorkerSettings {
  readonly release: number;
  readonly postgres: string;
  readonly tenant: string;
  readonly admin: string;
  readonly identityKeys: readonly string[];
  readonly outsideUrl: string;
}

const settings = JSON.parse(process.argv[2] ?? "{}") as WorkerSettings;
const { postgres, admin, identityKeys } = settings;
const release = RELEASES.find(({ number }) => number === settings.release);
if (release === undefined) throw new Error(`there is no release ${settings.release}`);
const post = createPost(settings.outsideUrl);
const { loops } = createLoops(release, async ({ label, what }, by) => {
  const order = `${label} ${what} by ${by}`;
  await post("/pay", { order, key: order, epoch: 0, effect: "once" });
});
const worker = await startWorker({
  ...{ postgres, admin, identityKeys, tenants: [settings.tenant], slots: 16 },
  host: { loops: [...loops], signer: crashSigner },
});
await deployWorker(worker, { admin, postgres });
process.on("disconnect", () => process.exit());
process.send?.("ready");
