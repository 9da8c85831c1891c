// Coefficients of (2^f - 1) / f on [0, 1], times 2^64, constant first; interpolated at Chebyshev points.
const TABLE_EXP2 = array<vec2<u32>, 13>(
  vec2<u32>(0xd1cf79abu, 0xb17217f7u), vec2<u32>(0x058b1d3fu, 0x3d7f7bffu),
  vec2<u32>(0x8250637fu, 0x0e35846bu), vec2<u32>(0xf7497d09u, 0x0276556du),
  vec2<u32>(0x9e2d427cu, 0x005761ffu), vec2<u32>(0x97aaa791u, 0x000a1848u),
  vec2<u32>(0xfe97ce77u, 0x0000ffe5u), vec2<u32>(0x00eaea04u, 0x0000162cu),
  vec2<u32>(0x27aa4152u, 0x000001b5u), vec2<u32>(0x49a967dfu, 0x0000001eu),
  vec2<u32>(0xebcc1444u, 0x00000001u), vec2<u32>(0x1a7c5766u, 0x00000000u),
  vec2<u32>(0x0214d124u, 0x00000000u),
);

// 1 / (k + 2)!, times 2^64: the Taylor series of (e^t - 1 - t) / t^2.
const TABLE_EXPM1 = array<vec2<u32>, 17>(
  vec2<u32>(0x00000000u, 0x80000000u), vec2<u32>(0xaaaaaaaau, 0x2aaaaaaau),
  vec2<u32>(0xaaaaaaaau, 0x0aaaaaaau), vec2<u32>(0x22222222u, 0x02222222u),
  vec2<u32>(0x5b05b05bu, 0x005b05b0u), vec2<u32>(0x0d00d00du, 0x000d00d0u),
  vec2<u32>(0x01a01a01u, 0x0001a01au), vec2<u32>(0xc74aad8eu, 0x00002e3bu),
  vec2<u32>(0x93edde27u, 0x0000049fu), vec2<u32>(0x99159fd5u, 0x0000006bu),
  vec2<u32>(0xf76c77fcu, 0x00000008u), vec2<u32>(0xb092309du, 0x00000000u),
  vec2<u32>(0x0c9cba54u, 0x00000000u), vec2<u32>(0x00d73f9fu, 0x00000000u),
  vec2<u32>(0x000d73f9u, 0x00000000u), vec2<u32>(0x0000ca96u, 0x00000000u),
  vec2<u32>(0x00000b41u, 0x00000000u),
);

// Coefficients of (atanh s / s - 1) / z in z = s^2 on [0, 0.0296], times 2^64; interpolated at Chebyshev points.
const TABLE_ATANH = array<vec2<u32>, 10>(
  vec2<u32>(0x55555555u, 0x55555555u), vec2<u32>(0x33333339u, 0x33333333u),
  vec2<u32>(0x924909ecu, 0x24924924u), vec2<u32>(0x71f41141u, 0x1c71c71cu),
  vec2<u32>(0x369b75e8u, 0x1745d174u), vec2<u32>(0x97fb9effu, 0x13b13b26u),
  vec2<u32>(0x91dfdfe2u, 0x11110b6cu), vec2<u32>(0xa2d70a73u, 0x0f10193au),
  vec2<u32>(0xd2245fe9u, 0x0d5bc7d6u), vec2<u32>(0x40c680beu, 0x0df98f2bu),
);

// Coefficients of (1 - sin r / r) / z in z = r^2 on [0, (pi/4)^2], times 2^64, without their alternating signs;
// interpolated at Chebyshev points.
const TABLE_SIN = array<vec2<u32>, 8>(
  vec2<u32>(0xaaaaaaaau, 0x2aaaaaaau), vec2<u32>(0x22222222u, 0x02222222u),
  vec2<u32>(0x0d00d00cu, 0x000d00d0u), vec2<u32>(0xc74aad85u, 0x00002e3bu),
  vec2<u32>(0x99159f9cu, 0x0000006bu), vec2<u32>(0xb0922fdau, 0x00000000u),
  vec2<u32>(0x00d73e29u, 0x00000000u), vec2<u32>(0x0000c921u, 0x00000000u),
);

// Coefficients of (1 - cos r) / z in z = r^2 on [0, (pi/4)^2], times 2^64, without their alternating signs;
// interpolated at Chebyshev points.
const TABLE_COS = array<vec2<u32>, 8>(
  vec2<u32>(0xffffffffu, 0x7fffffffu), vec2<u32>(0xaaaaaaaau, 0x0aaaaaaau),
  vec2<u32>(0x5b05b04eu, 0x005b05b0u), vec2<u32>(0x01a01959u, 0x0001a01au),
  vec2<u32>(0x93edd9fau, 0x0000049fu), vec2<u32>(0xf76c6989u, 0x00000008u),
  vec2<u32>(0x0c9c9ea1u, 0x00000000u), vec2<u32>(0x000d584fu, 0x00000000u),
);

// Coefficients of (1 - atan u / u) / z in z = u^2 on [0, 1/256], times 2^64, without their alternating signs;
// interpolated at Chebyshev points.
const TABLE_ATAN = array<vec2<u32>, 7>(
  vec2<u32>(0x55555555u, 0x55555555u), vec2<u32>(0x33333305u, 0x33333333u),
  vec2<u32>(0x92464b7du, 0x24924924u), vec2<u32>(0x60af05d0u, 0x1c71c71cu),
  vec2<u32>(0x7df7d329u, 0x1745d143u), vec2<u32>(0xc0c3a85du, 0x13b0f350u),
  vec2<u32>(0x0ad72f3bu, 0x10dcbffbu),
);

// atan(k / 8) for k = 0 to 8, times 2^64.
const TABLE_ATAN_EIGHTHS = array<vec2<u32>, 9>(
  vec2<u32>(0x00000000u, 0x00000000u), vec2<u32>(0xac2f6dc6u, 0x1fd5ba9au),
  vec2<u32>(0x5901bac5u, 0x3eb6ebf2u), vec2<u32>(0x937bc239u, 0x5bd86507u),
  vec2<u32>(0x86ed3da2u, 0x76b19c15u), vec2<u32>(0xf7f59f9bu, 0x8f005d5eu),
  vec2<u32>(0x34f70924u, 0xa4bc7d19u), vec2<u32>(0xc2319e73u, 0xb8053e2bu),
  vec2<u32>(0x2168c234u, 0xc90fdaa2u),
);

// 1 / ((k + 1)! (2k + 3)), times 2^64, without their alternating signs: the Taylor series of (1 - sqrt(pi) / 2 · erf x
// / x) / z in z = x^2.
const TABLE_ERF = array<vec2<u32>, 20>(
  vec2<u32>(0x55555555u, 0x55555555u), vec2<u32>(0x99999999u, 0x19999999u),
  vec2<u32>(0x18618618u, 0x06186186u), vec2<u32>(0xda12f684u, 0x012f684bu),
  vec2<u32>(0x1a6031a6u, 0x0031a603u), vec2<u32>(0x07007007u, 0x00070070u),
  vec2<u32>(0xbc99a778u, 0x0000ddebu), vec2<u32>(0x00187a00u, 0x0000187au),
  vec2<u32>(0xef8aaad1u, 0x0000026eu), vec2<u32>(0x5c60a90eu, 0x00000038u),
  vec2<u32>(0xad9cc42au, 0x00000004u), vec2<u32>(0x5bd12384u, 0x00000000u),
  vec2<u32>(0x068a27b9u, 0x00000000u), vec2<u32>(0x006f55dfu, 0x00000000u),
  vec2<u32>(0x0006f189u, 0x00000000u), vec2<u32>(0x0000685cu, 0x00000000u),
  vec2<u32>(0x000005c9u, 0x00000000u), vec2<u32>(0x0000004du, 0x00000000u),
  vec2<u32>(0x00000003u, 0x00000000u), vec2<u32>(0x00000000u, 0x00000000u),
);

// Coefficients of x e^(x^2) erfc x on [1, 28] in u in [-1, 1], which is linear in (x - 3) / (x + 3), times 2^63,
// signed; interpolated at Chebyshev points (the mapping is Shepherd and Laframboise's, Mathematics of Computation 36,
// 1981).
const TABLE_ERFC = array<vec2<u32>, 26>(
  vec2<u32>(0x910c7733u, 0x46392b36u), vec2<u32>(0x1eae7ed2u, 0x04ee9151u),
  vec2<u32>(0x9973c883u, 0xfadb2d4fu), vec2<u32>(0xe02c902eu, 0x03418ef2u),
  vec2<u32>(0x535ea986u, 0xfe7dc023u), vec2<u32>(0xa4891aa2u, 0x00850482u),
  vec2<u32>(0xd4f074a6u, 0xffe08a28u), vec2<u32>(0xd813ab67u, 0x00036dcbu),
  vec2<u32>(0x2e4bbb6eu, 0x0000ae1bu), vec2<u32>(0x5d4ce391u, 0xffffadd0u),
  vec2<u32>(0x1612f6c6u, 0x00000395u), vec2<u32>(0x502eaa93u, 0x000004b4u),
  vec2<u32>(0xd635cbf0u, 0xffffff42u), vec2<u32>(0x47eeb9b7u, 0xffffffb8u),
  vec2<u32>(0x28c194ecu, 0x00000012u), vec2<u32>(0x3052799bu, 0x00000005u),
  vec2<u32>(0x72897354u, 0xfffffffeu), vec2<u32>(0x86ed201cu, 0xffffffffu),
  vec2<u32>(0x1fe827bau, 0x00000000u), vec2<u32>(0x0cfc28b5u, 0x00000000u),
  vec2<u32>(0xfdc7755fu, 0xffffffffu), vec2<u32>(0xfe8a51a3u, 0xffffffffu),
  vec2<u32>(0x001a8a40u, 0x00000000u), vec2<u32>(0x0025af8cu, 0x00000000u),
  vec2<u32>(0xffffca04u, 0xffffffffu), vec2<u32>(0xfffd90f1u, 0xffffffffu),
);

// Coefficients of gamma((u + 3) / 2) on [-1, 1], times 2^62, signed; interpolated at Chebyshev points.
const TABLE_GAMMA = array<vec2<u32>, 26>(
  vec2<u32>(0x69ded54fu, 0x38b7f123u), vec2<u32>(0xee561b17u, 0x0108ea88u),
  vec2<u32>(0x9883558au, 0x06a3136eu), vec2<u32>(0x1ae8a2dfu, 0xff24429fu),
  vec2<u32>(0xba759af3u, 0x00941de9u), vec2<u32>(0x035f3d42u, 0xffd84ee6u),
  vec2<u32>(0xba19fc21u, 0x000f0115u), vec2<u32>(0xa8cde097u, 0xfffb22c0u),
  vec2<u32>(0xc6b4833fu, 0x0001a752u), vec2<u32>(0xeb406acbu, 0xffff72e9u),
  vec2<u32>(0x3b873722u, 0x00002f32u), vec2<u32>(0x1d59f0e4u, 0xfffff040u),
  vec2<u32>(0x3b651149u, 0x00000541u), vec2<u32>(0x5d98c1fcu, 0xfffffe3fu),
  vec2<u32>(0x95af8ce1u, 0x00000095u), vec2<u32>(0x210f3490u, 0xffffffceu),
  vec2<u32>(0xa3e5d7b5u, 0x00000010u), vec2<u32>(0x73f031ebu, 0xfffffffau),
  vec2<u32>(0xd43262e9u, 0x00000001u), vec2<u32>(0x63ee38d8u, 0xffffffffu),
  vec2<u32>(0x38d19bd7u, 0x00000000u), vec2<u32>(0xed0f6ca0u, 0xffffffffu),
  vec2<u32>(0x0372e576u, 0x00000000u), vec2<u32>(0xfed9b320u, 0xffffffffu),
  vec2<u32>(0x01612997u, 0x00000000u), vec2<u32>(0xff8a4773u, 0xffffffffu),
);

// |B(2k + 2)| / ((2k + 2) (2k + 1)), times 2^64, without their alternating signs: Stirling's series.
const TABLE_STIRLING = array<vec2<u32>, 9>(
  vec2<u32>(0x55555555u, 0x15555555u), vec2<u32>(0xb60b60b6u, 0x00b60b60u),
  vec2<u32>(0x34034034u, 0x00340340u), vec2<u32>(0x27027027u, 0x00270270u),
  vec2<u32>(0x5631fe46u, 0x00372a3cu), vec2<u32>(0x6664f1f2u, 0x007daac3u),
  vec2<u32>(0xa41a41a4u, 0x01a41a41u), vec2<u32>(0xc3d4e5f7u, 0x0790a1b2u),
  vec2<u32>(0x3c0cfff4u, 0x2dfd2c70u),
);

// The bits of 2 / pi after the binary point, highest first, behind 96 zero bits.
const TABLE_TWO_OVER_PI = array<u32, 44>(
  0x00000000u, 0x00000000u, 0x00000000u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u,
  0x3c439041u, 0xfe5163abu, 0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu, 0xfe1deb1cu,
  0xb129a73eu, 0xe88235f5u, 0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu,
  0xbdf9283bu, 0x1ff897ffu, 0xde05980fu, 0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u, 0x4f463f66u,
  0x9e5fea2du, 0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u, 0x1f8d5d08u, 0x56033046u,
  0xfc7b6babu, 0xf0cfbc20u, 0x9af4361du, 0xa9e39161u,
);
