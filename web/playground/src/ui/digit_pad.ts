/** A canvas to draw one digit on, read as MNIST has them: 28 x 28 grey levels, the ink centred by its mass. */

const inkWidth = 20;
const side = 28;
/** MNIST fits digits into this many pixels. */
const fitted = 20;

function smallCanvas(): CanvasRenderingContext2D {
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  return canvas.getContext('2d') as CanvasRenderingContext2D;
}

export class DigitPad {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #onChange: (empty: boolean) => void;
  #last: { x: number; y: number } | null = null;

  constructor(canvas: HTMLCanvasElement, onChange: (empty: boolean) => void) {
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
    this.#onChange = onChange;
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.#last = this.#point(event);
      this.#lineTo(this.#last);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (!this.#last) return;
      for (const each of event.getCoalescedEvents?.() ?? [event]) this.#lineTo(this.#point(each));
    });
    for (const name of ['pointerup', 'pointercancel'] as const) {
      canvas.addEventListener(name, () => {
        this.#last = null;
      });
    }
    canvas.addEventListener('keydown', (event) => {
      if (event.key === 'Delete' || event.key === 'Backspace') this.clear();
    });
    this.clear();
  }

  clear(): void {
    this.#context.fillStyle = '#000';
    this.#context.fillRect(0, 0, this.#canvas.width, this.#canvas.height);
    this.#onChange(true);
  }

  /** Puts an image of 28 x 28 grey levels in the place of the drawing. */
  show(image: Float32Array): void {
    const pixels = new ImageData(side, side);
    image.forEach((level, i) => {
      pixels.data.set([level * 255, level * 255, level * 255, 255], i * 4);
    });
    const small = smallCanvas();
    small.putImageData(pixels, 0, 0);
    this.#context.drawImage(small.canvas, 0, 0, this.#canvas.width, this.#canvas.height);
    this.#onChange(false);
  }

  #point(event: PointerEvent): { x: number; y: number } {
    const box = this.#canvas.getBoundingClientRect();
    const scale = this.#canvas.width / box.width;
    return { x: (event.clientX - box.left) * scale, y: (event.clientY - box.top) * scale };
  }

  #lineTo(to: { x: number; y: number }): void {
    const context = this.#context;
    context.strokeStyle = '#fff';
    context.lineWidth = inkWidth;
    context.lineCap = 'round';
    context.lineJoin = 'round';
    context.beginPath();
    context.moveTo(this.#last?.x ?? to.x, this.#last?.y ?? to.y);
    context.lineTo(to.x, to.y);
    context.stroke();
    this.#last = to;
    this.#onChange(false);
  }

  /** Box and centre of mass of the ink, or null when there is none. */
  #ink() {
    const { width, height } = this.#canvas;
    const { data } = this.#context.getImageData(0, 0, width, height);
    let [left, top, right, bottom] = [width, height, -1, -1];
    let [mass, massX, massY] = [0, 0, 0];
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const level = data[(y * width + x) * 4] as number;
        if (level < 32) continue;
        left = Math.min(left, x);
        right = Math.max(right, x);
        top = Math.min(top, y);
        bottom = Math.max(bottom, y);
        mass += level;
        massX += level * x;
        massY += level * y;
      }
    }
    if (mass === 0) return null;
    return { extent: Math.max(right - left, bottom - top) + 1, x: massX / mass, y: massY / mass };
  }

  /** 784 grey levels in [0, 1], or null when nothing is drawn. */
  read(): Float32Array<ArrayBuffer> | null {
    const ink = this.#ink();
    if (!ink) return null;
    const scale = fitted / Math.max(ink.extent, inkWidth * 3);
    const context = smallCanvas();
    context.imageSmoothingQuality = 'high';
    context.translate(side / 2 - ink.x * scale, side / 2 - ink.y * scale);
    context.scale(scale, scale);
    context.drawImage(this.#canvas, 0, 0);
    const { data } = context.getImageData(0, 0, side, side);
    return Float32Array.from({ length: side * side }, (_, i) => (data[i * 4] as number) / 255);
  }
}
