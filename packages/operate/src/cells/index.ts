export { type Cell, type Cells, type CellsReading, parseCells } from "./cells-file.ts";
export { ROUTER_ERROR_CODES, type RouterErrorCode } from "./refusal.ts";
export { type RouterPlace, type ServedRouter, serveRouter } from "./serve-router.ts";
export type { CellState } from "./watch-cells.ts";
