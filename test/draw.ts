/**
 * Property tests draw the same cases in every run, so that what fails once fails again. Other cases:
 * `ASSAY_TEST_SEED=$RANDOM ./assay test`.
 */
import fc from "fast-check";

const FIRST_SEED = 1;

fc.configureGlobal({ seed: Number(process.env.ASSAY_TEST_SEED ?? FIRST_SEED) });
