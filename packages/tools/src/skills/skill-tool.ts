/**
 * A tool by a folder with a `SKILL.md`: an agent reads its instructions when it needs them.
 *
 * 1. The description of the skill is in each request; its instructions and documents are not.
 * 2. The digest of all files is pinned with the definition, and every claim names it.
 */
import { defineTool, jsonSchema, type Loop, notDone } from "@turnseal/protocol/authoring";
import { readSkill } from "./read-skill.ts";

export interface SkillInput {
  /** A document of the skill; without it the instructions are answered. */
  readonly file?: string;
}

export interface SkillOutput {
  readonly text: string;
  /** The documents that the instructions may name. */
  readonly files: readonly string[];
}

/**
 * Makes the tool `skill.<name>` of a skill. Its name in a grant decides who may use it.
 *
 * @example
 * const review = skillTool("skills/review");
 * const agent = definePrompt({ ...prompt, tools: [review] });
 */
export function skillTool(folder: string): Loop<SkillInput, SkillOutput> {
  const { name, description, instructions, documents, digest } = readSkill(folder);
  const id = `skill.${name}`;
  const files = [...documents.keys()];
  return defineTool({
    ...{ id, version: "1.0.0", implementation: id, effect: "read" as const },
    description: `${description} Answers the instructions of this skill, or one of its documents.`,
    config: { digest },
    build: digest,
    input: jsonSchema<SkillInput>({
      type: "object",
      properties: files.length === 0 ? {} : { file: { type: "string", enum: files } },
      additionalProperties: false,
    }),
    output: jsonSchema<SkillOutput>({ type: "object" }),
    run: ({ file }) => {
      if (file === undefined) return { text: instructions, files };
      const text = documents.get(file);
      if (typeof text !== "string") throw notDone(`${file} is not a text in UTF-8`);
      return { text, files: [] };
    },
  });
}
