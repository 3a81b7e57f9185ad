/** Saves a file from the browser, without a request. */
export const download = (name: string, parts: BlobPart, type: string): void => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([parts], { type }));
  link.download = name.replace(/[^\w.-]+/g, "-").slice(0, 100);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};
