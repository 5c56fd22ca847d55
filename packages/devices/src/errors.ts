/** Impossible figure of a device. `figure` is its name, so that a form can show the sentence in place. */
export class DeviceFigureError extends Error {
  override readonly name = "DeviceFigureError";
  readonly figure: string;

  constructor(figure: string, message: string) {
    super(message);
    this.figure = figure;
  }
}
