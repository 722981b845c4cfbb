import { printSeeds } from "./simulate/print-seeds.ts";
import { runFlowSeed } from "./simulate-flows/run-flow-seed.ts";
import { WANTED } from "./simulate-flows/wanted.ts";

await printSeeds({
  name: "npm run proof simulate-flows",
  about: [
    "Draws flows of up to 200 nodes and executes each twice: undisturbed, and under crashes,",
    "take-overs, jumping clocks and people who answer late, wrongly and in any order. Both come to",
    "the same; nothing settled is done again, no computed bound and no budget is ever passed.",
  ],
  lasts: "some hours on one core",
  wanted: WANTED,
  runSeed: runFlowSeed,
});
