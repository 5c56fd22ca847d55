export { CodeBlock, CopyableId, Secret } from "../feedback/copyable.tsx";
export { Sparkline, type SparklineProps, type SparklineTone } from "./sparkline.tsx";
export { DefinitionList, Tile, TileGrid, type TileProps } from "./tile.tsx";
export { Bytes, Time, type TimeProps } from "./time.tsx";
