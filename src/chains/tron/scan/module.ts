/**
 * The WebAssembly module of assembly/tron, which reads blocks and infos from the text of an answer
 * (docs/design/verification.md).
 */
import { copyOf, ReusableModule } from "../../node/reusable_module.ts";
import { SCAN_MODULE } from "./module.gen.ts";

/** Exports of assembly/tron/index.ts. */
interface TronExports {
  readonly memory: WebAssembly.Memory;
  reserve(length: number): number;
  scanBlocks(length: number): number;
  scanInfos(length: number): number;
  blocksAt(): number;
  countBlocks(): number;
  itemsAt(): number;
  countItems(): number;
  recordsAt(): number;
  recordsEnd(): number;
}

const BLOCK_BYTES = 16;
const ITEM_BYTES = 4;
/** Memory kept from one answer to the next. */
const KEPT_BYTES = 32 << 20;

/** Result of reading an answer, copied out of the module's memory. */
export interface Scan {
  /** Four words of each block (assembly/tron/index.ts). */
  readonly blocks: Uint32Array;
  /** Position of each record of a transaction or info. */
  readonly items: Uint32Array;
  readonly records: Buffer;
}

const kept = new ReusableModule<TronExports>(SCAN_MODULE, KEPT_BYTES);

/** Null if the text as a whole has an unusual form, so that it must be parsed. @throws BadAnswer if it is too long */
export const scanBlocks = (text: Buffer): Scan | null =>
  kept.read(text, (module) => (module.scanBlocks(text.length) === 0 ? null : scanned(module)));

/** The same for a list of infos. @throws BadAnswer */
export const scanInfos = (text: Buffer): Scan | null =>
  kept.read(text, (module) => (module.scanInfos(text.length) === 0 ? null : scanned(module)));

const scanned = (module: TronExports): Scan => {
  const records = module.recordsAt();
  return {
    blocks: words(copyOf(module, module.blocksAt(), module.countBlocks() * BLOCK_BYTES)),
    items: words(copyOf(module, module.itemsAt(), module.countItems() * ITEM_BYTES)),
    records: copyOf(module, records, module.recordsEnd() - records),
  };
};

const words = ({ buffer, length }: Buffer): Uint32Array =>
  new Uint32Array(buffer, 0, length / Uint32Array.BYTES_PER_ELEMENT);
