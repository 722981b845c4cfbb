export { FILE_RULES, type FileRule, type Finding, type Position } from "./finding.ts";
export { parseJsonText } from "./parse-json-text.ts";
export { parseTomlText } from "./parse-toml-text.ts";
export { readDocument } from "./read-document.ts";
export { listItems, type ReadTables, readTables } from "./read-tables.ts";
export { type ReadText, readStream, readText } from "./read-text.ts";
export { pickWords, placeOf, type ReadFile, type Source, type ToolWords } from "./source.ts";
