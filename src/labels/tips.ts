import { type Hex, hex } from "../lib/bytes.ts";

/**
 * Accounts of Solana that collect a block producer's payment for including a transaction: a payment to them is a cost,
 * like the fee. Source: Jito's getTipAccounts.
 */
export const TIP_ACCOUNTS: ReadonlySet<Hex> = new Set(
  [
    "78521cb179cebb8589b556a2d5ec94d2498682fdf9bb2af5ad64e491cc4153da", // 96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5
    "f187ec87d1f745cb3a03384a26a69eda0ca2d1aa0f41e42416377e91ff5b5d31", // HFqU5x63VTqvQss8hp11i4wVV8bD44PvwucfZ2bU7gRe
    "b14e0de55e9fba86396ebfd548cff8c92011eac7b75baa9b2d9c6a86f5a17141", // Cw8CFyM9FkoMi7K7Crf6HNQqf4uEMzpKw6QNghXLvLkY
    "88f1ffa3a2dfe617bdc4e3573251a322e3fcae81e5a457390e64751c00a465e2", // ADaUMid9yfUytqMBgopwjb2DTLSokTSzL1zt6iGPaS49
    "bc2b57065ef1dd665430be606ba6596c0295301badef8b5afc41014150f41274", // DfXygSm4jCyNCybVYYK6DwvWqjKee8pbDmJGcLWNDXjh
    "89077d55a5bb1330763eb767f55ec077b41a0d075f7de1d73fbaca3c63d55471", // ADuUkR4vqLUMWXxW9gh6D6L8pMSawimctcNZ5pGwDcEt
    "bf971b59108b5b85a04fb093f1e21b4e3fd4c4c8f487dd09b95752769f0dd8c3", // DttWaMuVvTiduZRnguLF7jNxTgiMBZ1hyAumKUiL2KRL
    "2026101ec20328964a32abab136c5405b91f3ae38ee4f64cb6bde879b86838d2", // 3AVi9Tg9Uo68tJfuvoKvqKNWKkC5wPdSSdeBnizKZ6jT
  ].map(hex),
);
