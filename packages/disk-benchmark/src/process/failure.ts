const sentences: Readonly<Record<string, string>> = {
  EINVAL:
    "The file system has no direct I/O (O_DIRECT), so its page cache would be measured; measure another folder, or choose buffered I/O.",
  ENOSPC: "The drive ran out of space while it was measured.",
  EROFS: "The file system became read-only while it was measured.",
  EIO: "The drive answered with an I/O error (EIO) while it was measured; look at the kernel's log.",
};

/** Describes why a measurement failed, from the system's error. */
export function failureSentence(error: NodeJS.ErrnoException): string {
  return sentences[error.code ?? ""] ?? `The drive could not be measured: ${error.message}.`;
}
