// Reads modules of a folder in a program of its own: where tests run, another loader is in between.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createModuleReader } from "./module-reader.ts";

const folder = process.argv[2] ?? "";
const reader = createModuleReader();
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const read = async (): Promise<unknown> => {
  const url = pathToFileURL(join(folder, "main.mjs")).href;
  return reader.importModule(url).then(
    (exported) => ({ ...exported }),
    (error: Error) => error.name,
  );
};

const seen: unknown[] = [];
write("main.mjs", 'export { value } from "./part.mjs"; export { sep } from "node:path";');
write("part.mjs", "export const value = {}; export const text = 'first';");
const first = (await read()) as { readonly value: object };
const again = (await read()) as { readonly value: object };
seen.push(first.value === again.value);
reader.next();
const second = (await read()) as { readonly value: object };
seen.push(first.value === second.value);
write("part.mjs", "export const value = ;");
reader.next();
seen.push(await read());
write("part.mjs", "export const value = 'mended';");
reader.next();
seen.push(await read(), reader.files());
reader.close();
console.log(JSON.stringify(seen));
