export { CodeBlock, CopyableId, CopyButton, Secret } from "./copyable.tsx";
export { DefinitionList, Tile, TileGrid, type TileProps } from "./tile.tsx";
export { Bytes, Time, type TimeProps } from "./time.tsx";
