import { expect, test } from "vitest";
import { commandTools } from "./commands/command-tools.ts";
import { fileTools } from "./files/file-tools.ts";
import { bubblewrap } from "./sandbox/bubblewrap.ts";
import { grantTerms } from "./terms/grant-terms.ts";

const sandbox = bubblewrap();
const commands = (options: object) =>
  commandTools({ ...{ root: "site", folder: ".", sandbox }, ...options } as never);

test.each<[string, () => unknown, string]>([
  ["a path as a root", () => fileTools("../site"), '"../site" is no name of a root'],
  ["an empty root", () => fileTools(""), '"" is no name of a root'],
  ["no root", () => fileTools(undefined as never), "undefined is no name of a root"],
  ["a path in a term of files", () => grantTerms.files("./site"), "is no name of a root"],
  ["a path in a term of commands", () => grantTerms.commands("/site"), "is no name of a root"],
  ["a path as a workspace", () => commands({ root: "a/b" }), "is no name of a root"],
  [
    "no sandbox",
    () => commands({ sandbox: undefined }),
    "need a `sandbox`, such as `bubblewrap()`",
  ],
  [
    "an unknown profile",
    () => commands({ profile: "writes" }),
    "writes is no profile: it is one of",
  ],
])("%s is refused when it is written", (_, make, message) => {
  expect(make).toThrow(message);
});
