/** Layout of the kernel's own data in its memory, and the sizes it works in. */

/** Addresses of the input shards, 32 bits each. */
export const INPUTS_ADDRESS = 0;
/** Addresses of the output shards. */
export const OUTPUTS_ADDRESS = 1024;
/** The tables of one matrix. */
export const TABLES_ADDRESS = 4096;
/** Two tables of 16 bytes for each coefficient. */
export const TABLE_BYTES = 32;
/** Start of the shards: the largest matrix is 128 x 128. */
export const SHARDS_ADDRESS = TABLES_ADDRESS + 128 * 128 * TABLE_BYTES;

/** Bytes of each shard that the kernel computes at a time. */
export const BLOCK_BYTES = 32;
/** The kernel has a function for each number of output shards up to this. */
export const ROW_COUNT_MAX = 5;
