/** A process that carries a rollback on, and kills itself at the boundary that it is told. */
import { dirname } from "node:path";
import { sqliteStores } from "@turnseal/adapters/sqlite";
import { createLocalHost } from "@turnseal/host";
import { crashSigner } from "../crash/crash-key.ts";
import { type OnCrossing, watchSigner, watchStores } from "../crash/crossings.ts";
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
