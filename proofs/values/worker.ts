/** A process with some of the writers, on a store that is files: it is killed in the middle. */
import { folderValues } from "@turnseal/adapters/fs";
import { sqliteStores } from "@turnseal/adapters/sqlite";
import { writeCounts } from "./write-counts.ts";

const [kind, place = "", writers = "", adds] = process.argv.slice(2);
const values =
  kind === "file"
    ? folderValues({ folder: place, tenant: "acme" })
    : sqliteStores({ file: place }).values;
await Promise.all(
  writers
    .split(",")
    .map((writer) =>
      writeCounts(values, { writer, adds: Number(adds) }, (told) => process.send?.(told)),
    ),
);
process.disconnect();
