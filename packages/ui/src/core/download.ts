/** Hands the browser a file generated here; nothing leaves the page. */
export function downloadBlob(fileName: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}

export const downloadText = (fileName: string, mediaType: string, text: string): void =>
  downloadBlob(fileName, new Blob([text], { type: mediaType }));
