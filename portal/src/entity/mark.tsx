/** A picture made from an address alone, so that equal beginnings and ends are not mistaken for equal addresses. */

const CELLS = 5;

/** FNV-1a, 32 bits, with a seed. */
const hashOf = (text: string, seed: number): number => {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
};

/** Filled cells of a grid that is symmetric to its middle column. */
const cellsOf = (id: string): readonly (readonly [x: number, y: number])[] => {
  const bits = hashOf(id, 1);
  const half = Math.ceil(CELLS / 2);
  const cells: (readonly [number, number])[] = [];
  for (let y = 0; y < CELLS; y += 1)
    for (let x = 0; x < half; x += 1) {
      if (((bits >>> (y * half + x)) & 1) === 0) continue;
      cells.push([x, y]);
      if (x !== CELLS - 1 - x) cells.push([CELLS - 1 - x, y]);
    }
  return cells;
};

export const Mark = ({ id }: { readonly id: string }) => {
  const hue = hashOf(id, 2) % 360;
  return (
    <svg class="entity-mark" viewBox="-1 -1 7 7" width="44" height="44" aria-hidden="true">
      <rect x="-1" y="-1" width="7" height="7" fill={`hsl(${hue} 45% 90%)`} />
      {cellsOf(id).map(([x, y]) => (
        <rect key={`${x} ${y}`} x={x} y={y} width="1" height="1" fill={`hsl(${hue} 55% 38%)`} />
      ))}
    </svg>
  );
};
