// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// Takes fixed amounts from anybody and pays them to whoever knows a secret: who paid whom cannot be told.
contract Mixer {
    uint256 public constant AMOUNT = 2 ether;
    uint256 private constant DUST = 0.01 ether;

    mapping(bytes32 => bool) public deposited;

    function deposit(bytes32 commitment) external payable {
        require(msg.value == AMOUNT, "Mixer: wrong amount");
        require(!deposited[commitment], "Mixer: known commitment");
        deposited[commitment] = true;
    }

    function withdraw(bytes32 secret, address payable to) external {
        take(secret);
        pay(to, AMOUNT);
    }

    /// Pays dust to somebody who did not ask for it, and the rest to the caller.
    function withdrawWithDust(bytes32 secret, address payable victim) external {
        take(secret);
        pay(victim, DUST);
        pay(payable(msg.sender), AMOUNT - DUST);
    }

    function take(bytes32 secret) private {
        bytes32 commitment = keccak256(abi.encode(secret));
        require(deposited[commitment], "Mixer: unknown secret");
        deposited[commitment] = false;
    }

    function pay(address payable to, uint256 amount) private {
        (bool ok,) = to.call{value: amount}("");
        require(ok, "Mixer: payment refused");
    }
}
