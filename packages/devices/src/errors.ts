/** Impossible figure of a device. `figure` is the field's name, so that a form can show the message beside it. */
export class DeviceFigureError extends Error {
  override readonly name = "DeviceFigureError";
  readonly figure: string;

  constructor(figure: string, message: string) {
    super(message);
    this.figure = figure;
  }
}
