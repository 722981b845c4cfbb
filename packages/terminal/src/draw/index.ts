export { drawPlan } from "./draw-plan.ts";
export { drawLoop, drawNode, type Picture } from "./picture.ts";
export { renderMermaid } from "./render-mermaid.ts";
export { renderSvg } from "./render-svg.ts";
export { renderTree } from "./render-tree.ts";
export { shorten } from "./words.ts";
