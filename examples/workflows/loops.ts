/** The tools that the workflows name by their verbs, on a project of two files in memory. */
import { defineTool, type Model, scriptedModel } from "turnseal";
import { z } from "zod";

/** The input of every action: the first word after its verb, and the others. */
const action = z.object({ target: z.string().optional(), args: z.array(z.string()) });

const files = new Map<string, string>();

/** The project as it is in the beginning. */
export function resetFiles(): void {
  files.set("main.py", "def add(a, b):\n    retrun a + b\n\nasert add(1, 2) == 3\n");
  files.set("notes.md", "Adds two numbers.\n");
}
resetFiles();

const slips: readonly (readonly [RegExp, string])[] = [
  [/\bretrun\b/, "return"],
  [/\basert\b/, "assert"],
];

export const view = defineTool({
  id: "view",
  version: "1.0.0",
  description: "Shows a file, or the names of all",
  input: action,
  output: z.string(),
  effect: "read",
  run: ({ target = "." }) => {
    const text = target === "." ? [...files.keys()].join("\n") : files.get(target);
    if (text === undefined) throw new Error(`there is no file ${target}`);
    return text;
  },
});

export const analyze = defineTool({
  id: "analyze",
  version: "1.0.0",
  description: "Lists what is wrong with the files",
  input: action,
  output: z.object({ errors: z.array(z.object({ file: z.string(), word: z.string() })) }),
  effect: "read",
  run: () => ({
    errors: [...files].flatMap(([file, text]) =>
      slips.flatMap(([slip]) => {
        const [word] = slip.exec(text) ?? [];
        return word === undefined ? [] : [{ file, word }];
      }),
    ),
  }),
});

/** Repairs one mistake at a time, and only for the word `fix`. */
export const edit = defineTool({
  id: "edit",
  version: "1.0.0",
  description: "Changes a file as it is told",
  input: action,
  output: z.object({ file: z.string(), changed: z.boolean() }),
  effect: "idempotent",
  run: ({ target = "", args: [instruction = ""] }) => {
    const text = files.get(target);
    if (text === undefined) throw new Error(`there is no file ${target}`);
    const [slip, word] = slips.find(([pattern]) => pattern.test(text)) ?? [];
    if (slip === undefined || word === undefined || !instruction.startsWith("fix"))
      return { file: target, changed: false };
    files.set(target, text.replace(slip, word));
    return { file: target, changed: true };
  },
});

const ANSWER = "Both slips in main.py are mended; nothing is left.";

/** Stands in for a model, and answers by the request: look, repair, look again. */
const script: Model = {
  defaultModel: "script-1",
  generate: (request) => {
    const sent = JSON.stringify(request.messages.at(-1));
    const found = [...sent.matchAll(/\\"file\\":\\"([\w.]+)\\",\\"word\\"/g)];
    const fixes = found.map(([, target = ""]) => ({ verb: "edit", target, args: ["fix it"] }));
    const isMended = sent.includes('\\"changed\\":true');
    const isClean = sent.includes('\\"errors\\":[]');
    const decision =
      fixes.length > 0
        ? { thinking: `${fixes.length} to mend`, actions: fixes, done: false }
        : isClean
          ? { thinking: "nothing is wrong", actions: [], done: true, answer: ANSWER }
          : {
              thinking: isMended ? "look again" : "look",
              actions: [{ verb: "analyze" }],
              done: false,
            };
    const text = sent.includes("in one sentence")
      ? `${found.length} slips were mended.`
      : undefined;
    return scriptedModel([text ?? { json: decision }]).generate(request);
  },
};

export const models = { script };
