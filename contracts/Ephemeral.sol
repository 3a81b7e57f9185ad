// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// Holds coins until it destroys itself in favour of an heir. Since EIP-6780 the code goes only when contract and
/// destruction share a transaction; the coins move in any case.
contract Ephemeral {
    constructor() payable {}

    receive() external payable {}

    function destroy(address payable heir) external {
        selfdestruct(heir);
    }
}

/// Makes contracts that carry coins and, if asked, end in the same transaction.
contract EphemeralFactory {
    event Made(address indexed made);

    function make(bytes32 salt) external payable returns (address made) {
        made = salt == bytes32(0)
            ? address(new Ephemeral{value: msg.value}())
            : address(new Ephemeral{value: msg.value, salt: salt}());
        emit Made(made);
    }

    /// The heir may be the new contract itself (`heir` zero): its coins are then burnt.
    function flash(address payable heir) external payable returns (address made) {
        Ephemeral made_ = new Ephemeral{value: msg.value}();
        made = address(made_);
        made_.destroy(heir == address(0) ? payable(made) : heir);
        emit Made(made);
    }
}
