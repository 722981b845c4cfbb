import { dirname } from "node:path";
import { definePrompt } from "turnseal";
import { bubblewrap, commandTools, fileTools } from "turnseal/tools";
import { z } from "zod";
import { backend } from "./model.ts";

/** The root `here` is the folder in which you run a command. */
const files = fileTools("here");
/** The tests run in a sandbox, where they change no file and have no network. */
const node = dirname(process.execPath);
const commands = commandTools({
  root: "here",
  folder: ".",
  sandbox: bubblewrap({ readable: [dirname(node)] }),
  env: { PATH: `${node}:/usr/bin:/bin` },
  tests: ["node", "--test"],
});

export const fix = definePrompt({
  id: "fix",
  version: "1.0.0",
  system:
    "You mend a small program. Run the tests, read what fails, make the smallest edit, and run " +
    "the tests again. Then tell a person in a few sentences what you changed.",
  input: z.object({ task: z.string() }),
  output: z.object({ text: z.string() }),
  template: "{{task}}",
  tools: [...files.reading, files.edit, files.write, commands.test],
  maxRounds: 20,
  backend,
});
