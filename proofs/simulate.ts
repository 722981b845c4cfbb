import { printSeeds } from "./simulate/print-seeds.ts";
import { runSeed } from "./simulate/run-seed.ts";
import { WANTED } from "./simulate/wanted.ts";

await printSeeds({
  name: "npm run proof simulate",
  about: [
    "Runs the runtime under crashes, freezes, lost answers, slow tools, jumping clocks and people",
    "who do what they may not, and checks every promise.",
  ],
  lasts: "most of an hour on one core",
  wanted: WANTED,
  runSeed,
});
