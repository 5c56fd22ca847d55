export { CodeBlock, CopyableId, Secret } from "../feedback/copyable.tsx";
export { Sparkline, type SparklineProps, type SparklineTone } from "./sparkline.tsx";
export { DefinitionList, Tile, type TileProps } from "./tile.tsx";
export { TileGrid } from "./tile-grid.tsx";
export { Bytes, Time, type TimeProps } from "./time.tsx";
