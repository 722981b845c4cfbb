export { limitBytes, toResponse } from "./answer.ts";
