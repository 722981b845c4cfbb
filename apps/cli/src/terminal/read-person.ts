export { readPerson } from "@turnseal/runtime/folder";
