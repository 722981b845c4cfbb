/** A process that advances a rollback, and kills itself at the boundary in its arguments. */
import { dirname } from "node:path";
import { sqliteStores } from "@turnseal/adapters/sqlite";
import { createLocalHost } from "@turnseal/host";
import { crashSigner } from "../kit/crash-key.ts";
import { type OnCrossing, watchSigner, watchStores } from "../kit/crossings.ts";
import { shelfLoops, shelfRoots } from "./shelf-loops.ts";

const [file = "", run = "", killAt = "0"] = process.argv.slice(2);
let crossings = 0;
const onCrossing: OnCrossing = () => {
  crossings += 1;
  if (crossings === Number(killAt)) process.kill(process.pid, "SIGKILL");
};
const host = createLocalHost({
  loops: shelfLoops(onCrossing),
  stores: watchStores(sqliteStores({ file }), onCrossing),
  signer: watchSigner(crashSigner, onCrossing),
  roots: shelfRoots(dirname(dirname(file)), onCrossing),
});
await host.drive(run);
console.log(crossings);
